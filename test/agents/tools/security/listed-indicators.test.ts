/** Which values of a document on indicators are the attacker's: those that its lists, tables and sections give as such. */
import { describe, expect, it } from 'vitest';
import { indicators } from '../../../../agents/tools/security/iocs.ts';

type Items = readonly { readonly kind: string; readonly defanged: string; readonly role: string }[];

const attackers = (text: string) => {
  const result = indicators.run([{ message: 0, text }]).result as unknown as Record<string, { items: Items }>;
  return Object.values(result)
    .flatMap(({ items }) => items)
    .filter(({ role }) => role === 'attacker')
    .map(({ kind, defanged }) => `${kind} ${defanged.replaceAll('[.]', '.')}`);
};

const hash = (digit: string) => `0b3e9c7a5d1f2846${digit.repeat(4)}e07ac5b9d3f18264ab90`;
const title = '= Quillfox: Indicators of Compromise\n';

describe('a list below a heading', () => {
  it.each(['### Active C&C servers', '=== Active C&C servers', 'Malware download servers'])(
    'that names servers of the attacker lists indicators: %s',
    (heading) => {
      const text = `The malware spread by mail.\n\n${heading}\n\n* \`quillfox-cdn.net\`\n* \`203.0.114.9\`\n`;
      expect(attackers(text)).toEqual(['domain quillfox-cdn.net', 'ipv4 203.0.114.9']);
    },
  );

  it('inside a section on indicators lists indicators', () => {
    const text =
      '# Report\n\n## Network indicators\n\n### Hosts\n\n- quillfox-cdn.net\n\n## Contact\n\n- quill-lab.net\n';
    expect(attackers(text)).toEqual(['domain quillfox-cdn.net']);
  });

  it('that names victims lists none', () => {
    const text = `${title}\n== Network indicators\n\n=== Mail services targeted by the malware\n\n* \`post-office.net\`\n`;
    expect(attackers(text)).toEqual([]);
  });

  it('on samples of malware lists their hashes', () => {
    expect(attackers(`${title}\n== Sample hashes\n\n* ${hash('1')}\n`)).toEqual([`sha1 ${hash('1')}`]);
  });
});

describe('a table of files', () => {
  const table = `|SHA-1|File name|Found as|\n|---|---|---|\n|${hash('2')}|quill reader 4.2.exe|OSX/Agent.DJ|\n|${hash('3')}|größe_setup.zip|Win32/Quill.A|\n`;

  it('gives hashes and names in a document on indicators, and no name of a detection', () => {
    expect(attackers(`# Quillfox – Indicators of Compromise\n\n## Files\n\n${table}`)).toEqual([
      `sha1 ${hash('2')}`,
      `sha1 ${hash('3')}`,
      'file größe_setup.zip',
    ]);
  });

  it('gives none in a document on releases', () => {
    expect(attackers(`# Quill Reader, releases\n\n## Files\n\n${table}`)).toEqual([]);
  });
});

describe('a link', () => {
  it('with a text in brackets is a reference', () => {
    const text = `${title}\n* https://lab.quill-lab.net/quillfox/[\nQuillfox drops a new loader]\n`;
    expect(attackers(text)).toEqual([]);
  });

  it('to a publication is a reference', () => {
    expect(attackers(`${title}\nThe blog post is available at https://lab.quill-lab.net/quillfox/.\n`)).toEqual([]);
  });
});

it('takes the name of an attacked system as no indicator', () => {
  const text = 'An unauthorized party gained access to the orders database (`orders.db.example.com:5432`).';
  expect(attackers(text)).toEqual([]);
});
