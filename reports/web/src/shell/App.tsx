// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import { Component, type ComponentChildren, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loaded, type ViewProps } from "../components/basics";
import type { Device } from "../data/contract";
import { useResources, type Store } from "../data/store";
import { date } from "../format";
import { param, useRoute, viewNames, type Route, type View } from "../state/router";
import { CaseView } from "../views/case/CaseView";
import { CompareView } from "../views/compare/CompareView";
import { LadderView } from "../views/ladder/LadderView";
import { OverviewView } from "../views/overview/OverviewView";
import { QualityView } from "../views/quality/QualityView";
import { TrendView } from "../views/trend/TrendView";
import { EmptyPage } from "./BrokenPage";
import { Header } from "./Header";
import { Help } from "./Help";
import { useKeys } from "./keys";

const viewComponents: Record<View, (props: ViewProps) => JSX.Element> = {
  overview: OverviewView, ladder: LadderView, trend: TrendView, compare: CompareView, case: CaseView, quality: QualityView,
};

/** Keeps an error in one view from breaking the whole page: data may lack what the contract promises. */
class Guard extends Component<{ children: ComponentChildren; place: string }, { error?: string; place?: string }> {
  static override getDerivedStateFromError(error: unknown): { error: string } {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div class="message bad" role="alert">
        <strong>This view cannot be shown.</strong> {this.state.error}. The other views may still work; if writing the report
        again does not help, the program that wrote it has a fault.
      </div>
    );
  }
}

function ViewOf({ store, device, route }: { store: Store; device: Device; route: Route }): JSX.Element {
  const View = viewComponents[route.view];
  useEffect(() => {
    document.title = `${viewNames[route.view]} \u00b7 ${device.name} \u00b7 ${store.manifest.title}`;
  }, [route.view, device]);
  useEffect(() => {
    // From the start of the navigation to the moment when the first view can be used.
    if (performance.getEntriesByName("perfcheck:first-view").length === 0) {
      performance.measure("perfcheck:first-view", { start: 0 });
    }
  }, []);
  return <View store={store} device={device} route={route} />;
}

export function App({ store }: { store: Store }): JSX.Element {
  const route = useRoute();
  const [helpOpen, setHelp] = useState(false);
  useKeys(() => setHelp(true));
  const { manifest } = store;
  const first = manifest.devices[0];
  const key = manifest.devices.find((one) => one.key === param(route, "d"))?.key ?? first?.key ?? "";
  const resource = store.device(key);
  useResources([resource]);
  if (!resource) return <EmptyPage manifest={manifest} />;
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => {
        // The fragment of the address belongs to the views, so this moves the focus instead of following the link.
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}>Skip to the content</a>
      <Header store={store} device={resource.value} deviceKey={key} route={route} onHelp={() => setHelp(true)} />
      {manifest.notes.length === 0 ? null : (
        <aside class="notes" aria-label="Notes">{manifest.notes.map((note) => <p key={note}>{note}</p>)}</aside>
      )}
      <main id="content" tabIndex={-1}>
        <h1 class="sr-only">{viewNames[route.view]}</h1>
        <Guard key={`${route.view} ${key}`} place={route.view}>
          <Loaded resource={resource} what={`device ${key}`}>
            {(device) => <ViewOf store={store} device={device} route={route} />}
          </Loaded>
        </Guard>
      </main>
      <footer>
        <span>{manifest.title}</span>
        <span>written {date(manifest.generated)} UTC by perfcheck {manifest.tool_version}</span>
        <span>all times are UTC</span>
      </footer>
      <Help open={helpOpen} onClose={() => setHelp(false)} />
    </>
  );
}
