/** The facts of a document in a browser: a model that recites its list, the real engine, and tables of what the document confirms. */
import { afterEach, describe, expect, it } from 'vitest';
import { tinyModelFile } from '../support/models/tiny-models.ts';
import { accessibilityViolations, visit, whyNoBrowser } from './support/browser.ts';

const contract = `Arbeitsvertrag
Der Mitarbeiter kann mit einer Frist von drei Monaten kündigen.
Das Gehalt beträgt 5.200 € im Monat.
`;
const list =
  '{"facts": [{"kind": "notice", "line": 2, "value": {"by": "employee", "duration": {"count": 3, "unit": "month"}}}, ' +
  '{"kind":"pay","line":3,"value":{"amount":6900,"currency":"eur"}}]}';

describe.skipIf(whyNoBrowser !== undefined)('the facts of a document', () => {
  const model = () => tinyModelFile({ template: 'chatml', context: 32_768, script: list });
  const server = visit(() => ['--model', model(), '--context', '32768', '--sequences', '2']);
  afterEach(() => server.forget());

  it('are tables of what the document confirms, and are saved as JSON', { timeout: 180_000 }, async () => {
    const { page, faults } = await server.signedIn();
    await page.getByLabel('Model').selectOption('hr-analyst');
    const file = { name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from(contract) };
    await page.locator('#files').setInputFiles(file);
    await page.getByRole('button', { name: 'List facts' }).click();
    const facts = page.getByLabel('Facts of the documents');
    await facts.waitFor({ timeout: 120_000 });
    const rows = await facts.locator('tbody tr').allTextContents();
    expect(rows).toEqual([expect.stringMatching(/^employee3 months/)]);
    expect(await facts.locator('tbody em').allTextContents()).toEqual(['employee']);
    await facts.getByText(/^Left out: /).click();
    expect(await facts.textContent()).toContain('the document does not state the number');
    const download = page.waitForEvent('download');
    await facts.getByRole('button', { name: 'Save facts' }).click();
    expect((await download).suggestedFilename()).toBe('facts.json');
    // The field for messages covers what is behind it until the reader scrolls.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('are offered for agents alone', async () => {
    const { page } = await server.signedIn();
    await page.getByLabel('Message').waitFor();
    expect(await page.getByRole('button', { name: 'List facts' }).count()).toBe(0);
  });
});
