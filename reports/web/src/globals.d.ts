// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Style sheets are imported only for their side effect; the bundler collects them.
declare module "*.css";
