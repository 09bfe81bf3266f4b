// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Style sheets are imported for their effect; the bundler collects them.
declare module "*.css";
