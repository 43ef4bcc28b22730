import { send } from '../api/request.ts';
import { session } from '../api/session.ts';
import { show } from '../parts/page.tsx';
import type { Endpoint } from '../reference/document.ts';
import type { Caller } from '../reference/endpoint-view.tsx';
import { ReferenceView } from '../reference/reference-view.tsx';

const caller: Caller = {
  access({ operation: { security } }: Endpoint) {
    if (security === undefined) return 'Needs an API key, or the session of a page.';
    return security.length === 0 ? 'Needs no key.' : 'Needs the session of a page; API keys are refused.';
  },
  canTry: ({ operation }) => session.value !== undefined || operation.security?.length === 0,
  signInPath: '/sign-in',
  send,
};

show(() => <ReferenceView path="/v1/openapi.json" title="API reference" caller={caller} />);
