/** The frame of the server's pages, with the verdict of its evidence. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { loadSession } from '../api/session.ts';
import { proveServer } from '../proof/server-proof.ts';
import { Drawer } from './drawer.tsx';
import { EvidenceView, Verdict } from './evidence.tsx';
import { Frame, showFrame } from './frame.tsx';

const links = [
  ['/chat', 'Chat'],
  ['/usage', 'Usage'],
  ['/reference', 'Reference'],
  ['/status', 'Status'],
] as const;

/** Shows a page and asks the server who is signed in. */
export function show(content: () => ComponentChildren, { isWide = false }: { isWide?: boolean } = {}): void {
  showFrame(() => <Page content={content} isWide={isWide} />);
  void loadSession().catch(() => undefined);
  void proveServer().catch(() => undefined);
}

function Page({ content: Content, isWide }: { content: () => ComponentChildren; isWide: boolean }) {
  const [showsProof, setShowsProof] = useState(false);
  const verdict = (
    <button type="button" class="quiet" onClick={() => setShowsProof(true)} aria-haspopup="dialog">
      <Verdict />
    </button>
  );
  return (
    <>
      <Frame {...{ links, isWide, home: '/', current: location.pathname, header: verdict, signInPath: '/sign-in' }}>
        <Content />
      </Frame>
      {showsProof && (
        <Drawer title="Evidence of this server" onClose={() => setShowsProof(false)}>
          <EvidenceView />
        </Drawer>
      )}
    </>
  );
}
