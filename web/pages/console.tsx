/** The renter's console of the compute service. The fragment of the address is a sign-in link, or names a view. */
import { signal } from '@preact/signals';
import { reasonOf, send } from '../api/request.ts';
import { loadSession, session, signIn, useSessionRoutes } from '../api/session.ts';
import { Frame, showFrame } from '../parts/frame.tsx';
import { Problem } from '../parts/problem.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import type { Caller } from '../reference/endpoint-view.tsx';
import { ReferenceView } from '../reference/reference-view.tsx';
import { BillingView } from '../renter/billing-view.tsx';
import { EventsView } from '../renter/events-view.tsx';
import { KeysView } from '../renter/keys-view.tsx';
import { follow } from '../renter/live.ts';
import { MachinesView } from '../renter/machines-view.tsx';
import { PodsView } from '../renter/pods-view.tsx';
import { api, home, sessionRoutes } from '../renter/renter-api.ts';
import { WebhooksView } from '../renter/webhooks-view.tsx';

const caller: Caller = {
  access({ operation: { security } }) {
    if (security === undefined) return 'Needs no key.';
    return security.some((one) => 'key' in one)
      ? 'Needs an API key, or the session of a page.'
      : 'Needs the session of a page.';
  },
  canTry: ({ operation }) => session.value !== undefined || operation.security === undefined,
  signInPath: home,
  send,
};

function ApiView() {
  return <ReferenceView path={api('openapi.json')} title="API" caller={caller} />;
}

const views = {
  pods: ['Pods', PodsView],
  machines: ['Machines', MachinesView],
  keys: ['Keys', KeysView],
  webhooks: ['Webhooks', WebhooksView],
  billing: ['Billing', BillingView],
  events: ['Events', EventsView],
  api: ['API', ApiView],
} as const;
type ViewName = keyof typeof views;

const links = Object.entries(views).map(([name, [title]]) => [`#${name}`, title] as const);

/** Longer than the name of a view. */
const linkPattern = /^[\w-]{43}$/;

const view = signal<ViewName>('pods');
const problem = signal('');

function Console() {
  const [, View] = views[view.value];
  return (
    <Frame links={links} current={`#${view.value}`} home={home} isWide>
      <Problem text={problem.value} />
      <SignedIn what="the console">
        <View />
      </SignedIn>
    </Frame>
  );
}

function readFragment(): void {
  const name = location.hash.slice(1);
  // The link that skips the navigation.
  if (name === 'content') return;
  view.value = Object.hasOwn(views, name) ? (name as ViewName) : 'pods';
}

useSessionRoutes(sessionRoutes);
const fragment = location.hash.slice(1);
if (linkPattern.test(fragment)) {
  // Removed from the address and the history at once.
  history.replaceState(null, '', location.pathname);
  signIn({ link: fragment }).catch((error: unknown) => {
    problem.value = reasonOf(error);
    void loadSession().catch(() => undefined);
  });
} else {
  void loadSession().catch(() => undefined);
}
readFragment();
addEventListener('hashchange', readFragment);
follow();
showFrame(() => <Console />);
