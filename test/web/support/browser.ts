/** A real browser on a real server: Debian's Chromium, driven by playwright-core. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, startServer } from '../../support/server/server.ts';

const executablePath = '/usr/bin/chromium';

/** The reason why this machine cannot run the suite, or undefined. */
export const whyNoBrowser = existsSync(executablePath)
  ? undefined
  : 'skipped: /usr/bin/chromium is missing: apt-get install chromium';
if (whyNoBrowser !== undefined) console.log(whyNoBrowser);

export interface Look {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** Whether the window requests evidence of its own; the server limits quotes per minute, so others share the first. */
  readonly asksForEvidence?: boolean;
}

export interface OpenPage {
  readonly page: Page;
  /** What went wrong in the page: exceptions and violations of the content policy. */
  readonly faults: readonly string[];
}

/** One browser for the tests of a file. */
export class Windows {
  #browser!: Browser;
  readonly #contexts: BrowserContext[] = [];

  async launch(): Promise<void> {
    this.#browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }

  async quit(): Promise<void> {
    await this.#browser?.close();
  }

  /** Ends the sessions of the last test. */
  async forget(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  /** Opens a new browser window. @param clientCertificates that the browser presents */
  async window(
    { width = 1200, theme = 'light' }: Look = {},
    clientCertificates: BrowserContextOptions['clientCertificates'] = [],
  ): Promise<OpenPage> {
    const context = await this.#browser.newContext({
      ...{ ignoreHTTPSErrors: true, colorScheme: theme, viewport: { width, height: 850 } },
      permissions: ['clipboard-read', 'clipboard-write'],
      clientCertificates: [...(clientCertificates ?? [])],
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|trusted/i.test(message.text())) faults.push(message.text());
    });
    // What the browser would send to a `report-to` address; each also appears in the console.
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`Content Security Policy report: ${violatedDirective} ${blockedURI}`);
      });
    });
    return { page, faults };
  }
}

/** One server and one browser for the tests of a file. */
export class Visit extends Windows {
  server!: RunningServer;
  /** What a page of this server has kept for the next page of its tab. */
  #evidence: string | undefined;

  readonly #flags: () => readonly string[];

  /** @param flags of the server, in addition to those of every visit; by default it serves the demo models */
  constructor(flags: () => readonly string[] = () => []) {
    super();
    this.#flags = flags;
  }

  get origin(): string {
    return new URL(this.server.listening.baseUrl).origin;
  }

  async open(): Promise<void> {
    this.server = await startServer(['--simulate-tdx', ...this.#flags()]);
    await this.launch();
  }

  async close(): Promise<void> {
    await this.quit();
    await this.server?.stop();
  }

  override async window(look: Look = {}): Promise<OpenPage> {
    const opened = await super.window(look);
    const isKept = look.asksForEvidence !== true && this.#evidence !== undefined;
    if (isKept) await opened.page.addInitScript(keepEvidence, this.#evidence!);
    return opened;
  }

  /** Opens a window that is signed in with a new link. */
  async signedIn(look?: Look): Promise<OpenPage> {
    const window = await this.window(look);
    await window.page.goto(await this.link());
    await window.page.waitForURL('**/chat');
    await window.page.waitForFunction(() => sessionStorage.getItem('evidence') !== null);
    this.#evidence ??= (await window.page.evaluate(() => sessionStorage.getItem('evidence')))!;
    return window;
  }

  /** A fresh link; the one that the server printed works only once. */
  async link(): Promise<string> {
    const { openAccountStore } = await import('../../../accounts/store.ts');
    const accounts = await openAccountStore(`${this.server.stateDir}/accounts.sqlite`);
    try {
      const { id } = await accounts.findAccount('default');
      const { secret } = await accounts.makeLoginLink({ accountId: id, now: Date.now() });
      return `${this.origin}/sign-in#${secret}`;
    } finally {
      await accounts.close();
    }
  }
}

/** Runs in each page before its own code. */
function keepEvidence(text: string): void {
  if (sessionStorage.getItem('evidence') === null) sessionStorage.setItem('evidence', text);
}

/** Pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

/** A visit for the tests of a file. */
export function visit(flags?: () => readonly string[]): Visit {
  const one = new Visit(flags);
  beforeAll(() => one.open());
  afterAll(() => one.close());
  return one;
}

/** Presses Tab until an element has the focus whose tag, id and text match. */
export async function focusOn(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(() => {
      const { tagName, id, textContent } = document.activeElement!;
      return `${tagName} ${id} ${textContent}`;
    });
    if (name.test(text)) return;
  }
  throw new Error(`no element ${name} takes the focus`);
}

/** Violations of WCAG 2.2 AA that axe finds: rule and element. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations: found } = await inPage.run(document, { runOnly });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
  return violations;
}
