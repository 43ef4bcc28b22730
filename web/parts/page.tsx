/** The frame of every page: navigation, the verdict of the evidence, and the account. */
import { type ComponentChildren, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadSession, session, signOut } from '../api/session.ts';
import { proveServer } from '../proof/server-proof.ts';
import { Drawer } from './drawer.tsx';
import { EvidenceView, Verdict } from './evidence.tsx';

const links = [
  ['/chat', 'Chat'],
  ['/usage', 'Usage'],
  ['/reference', 'Reference'],
  ['/status', 'Status'],
] as const;

/** Shows a page and asks the server who is signed in. */
export function show(content: () => ComponentChildren, { isWide = false }: { isWide?: boolean } = {}): void {
  render(<Frame content={content} isWide={isWide} />, document.body);
  void loadSession().catch(() => undefined);
  void proveServer().catch(() => undefined);
}

function Frame({ content: Content, isWide }: { content: () => ComponentChildren; isWide: boolean }) {
  const [showsProof, setShowsProof] = useState(false);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href="/" aria-current={location.pathname === '/' ? 'page' : undefined}>
          <Logo /> Cloister
        </a>
        <nav aria-label="Pages">
          {links.map(([path, name]) => (
            <a key={path} href={path} aria-current={location.pathname === path ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span class="push" />
        <button type="button" class="quiet" onClick={() => setShowsProof(true)} aria-haspopup="dialog">
          <Verdict />
        </button>
        <ThemeButton />
        <Account />
      </header>
      <main id="content" class={isWide ? 'wide' : undefined} tabIndex={-1}>
        <Content />
      </main>
      {showsProof && (
        <Drawer title="Evidence of this server" onClose={() => setShowsProof(false)}>
          <EvidenceView />
        </Drawer>
      )}
    </>
  );
}

function Account() {
  const current = session.value;
  if (current === 'unknown') return <span class="account" aria-hidden="true" />;
  if (current === undefined) {
    return (
      <a class="button small" href="/sign-in">
        Sign in
      </a>
    );
  }
  return (
    <span class="account">
      <span class="name" title={`Plan: ${current.plan}`}>
        {current.account}
      </span>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </span>
  );
}

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  const change = () => {
    localStorage.setItem('theme', next);
    setTheme(next);
  };
  return (
    <button type="button" class="quiet theme" onClick={change} title={`Theme: ${theme}`}>
      <span aria-hidden="true">{{ system: '◐', light: '○', dark: '●' }[theme]}</span>
      <span class="hidden">
        Theme: {theme}; change to {next}
      </span>
    </button>
  );
}

function readTheme(): Theme {
  const kept = localStorage.getItem('theme');
  return themes.find((theme) => theme === kept) ?? 'system';
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path d="M5 28V14a11 11 0 0 1 22 0v14M11 28V15a5 5 0 0 1 10 0v13M2 28h28" />
    </svg>
  );
}
