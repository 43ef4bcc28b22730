/** The frame of every page: navigation, theme and account. */
import { type ComponentChildren, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { session, signOut } from '../api/session.ts';

export interface FrameProps {
  /** Path, or fragment of the page, and name. */
  readonly links: readonly (readonly [href: string, name: string])[];
  /** The link of the page that is shown. */
  readonly current: string;
  readonly home: string;
  readonly isWide?: boolean;
  /** Further parts of the header. */
  readonly header?: ComponentChildren;
  /** A page to sign in; undefined if the page itself asks. */
  readonly signInPath?: string;
  readonly children: ComponentChildren;
}

export function Frame({ links, current, home, isWide = false, header, signInPath, children }: FrameProps) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href={home} aria-current={current === home ? 'page' : undefined}>
          <Logo /> Cloister
        </a>
        <nav aria-label="Pages">
          {links.map(([path, name]) => (
            <a key={path} href={path} aria-current={current === path ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span class="push" />
        {header}
        <ThemeButton />
        <Account signInPath={signInPath} />
      </header>
      <main id="content" class={isWide ? 'wide' : undefined} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Replaces the contents of the document. */
export function showFrame(content: () => ComponentChildren): void {
  const Content = content;
  render(<Content />, document.body);
}

function Account({ signInPath }: { readonly signInPath: string | undefined }) {
  const current = session.value;
  if (current === 'unknown') return <span class="account" aria-hidden="true" />;
  if (current === undefined) {
    return signInPath === undefined ? null : (
      <a class="button small" href={signInPath}>
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
