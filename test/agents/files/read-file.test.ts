import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';
import { fileBytesMax } from '../../../agents/files/file-text.ts';
import { readFile, readFiles } from '../../../agents/files/read-file.ts';

const sample = (name: string) => ({ name, bytes: readFileSync(new URL(`samples/${name}`, import.meta.url)) });
const read = (name: string) => readFile(sample(name), () => undefined);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const readText = (name: string, text: string) => readFile({ name, bytes: bytesOf(text) }, () => undefined);

describe('a PDF', () => {
  it('keeps paragraphs, clause numbers and the columns of tables', async () => {
    const { kind, text } = await read('contract.pdf');
    expect(kind).toBe('pdf');
    expect(text).toContain('1.1 This Agreement starts on 1 April 2026 and continues for an initial term of 36 months.');
    expect(text).toMatch(/Hosting {2,}4,250\.00 {2,}51,000\.00\n +Support {2,}1,150\.00 {2,}13,800\.00\n/);
    const [table] = parseDocument({ message: 0, text }).tables;
    expect(table?.rows.length).toBe(3);
  });

  it('marks where each page begins, and omits the repeated header and footer', async () => {
    const { text, pageStarts } = await read('contract.pdf');
    expect(pageStarts?.map((start) => text.slice(start).trimStart().slice(0, 14))).toEqual([
      'MASTER SERVICE',
      '3. Liability\n ',
      '5. Termination',
    ]);
    expect(text).not.toMatch(/Confidential$|Page \d/m);
  });

  it('in two columns is read column by column', async () => {
    const { text } = await read('two-columns.pdf');
    expect(text.indexOf('alpha189')).toBeLessThan(text.indexOf('omega0'));
    expect(text).not.toMatch(/alpha\d+ +omega/);
  });

  it('that is encrypted, damaged or without text is refused with the reason', async () => {
    await expect(read('encrypted.pdf')).rejects.toThrow('is encrypted; send it without a password');
    await expect(readText('a.pdf', '%PDF-1.7\nnothing')).rejects.toThrow('is damaged: it is not a readable PDF');
    const empty = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100]>> endobj
trailer <</Root 1 0 R>>`;
    await expect(readText('a.pdf', empty)).rejects.toThrow('has no text: it may be a scan; send its text');
  });

  it('truncated at any position gives text or a reason', async () => {
    const { bytes } = sample('contract.pdf');
    for (let length = 5; length < bytes.length; length += 97) {
      const cut = await readFiles([{ name: 'a.pdf', bytes: bytes.subarray(0, length) }], () => undefined);
      expect('problem' in cut ? cut.problem : cut[0]!.kind).toMatch(/^is damaged|^has no text|^pdf$/);
    }
  });
});

describe('office documents', () => {
  it('DOCX: headings, table and list as Markdown', async () => {
    const { kind, text } = await read('employment.docx');
    expect(kind).toBe('docx');
    const { blocks, tables, text: plain } = parseDocument({ message: 0, text });
    expect(blocks.flatMap((block) => (block.kind === 'heading' ? [block.heading.title] : []))).toEqual(
      expect.arrayContaining([expect.stringContaining('Beginn'), expect.stringContaining('Vergütung')]),
    );
    expect(tables).toHaveLength(1);
    expect(plain).toContain('38,5 Stunden je Woche');
  });

  it('XLSX: every sheet with its name, numbers without rounding errors, dates', async () => {
    const { kind, text } = await read('figures.xlsx');
    expect(kind).toBe('xlsx');
    expect(text).toContain('# Income statement');
    expect(text).toContain('\t2025\t2024\nRevenue\t41250000.5\t38900000\n');
    expect(text).toContain(
      '# Invoices\n\nNumber\tDate\tNet\tPaid\nR-101\t2026-03-31\t1234.56\ttrue\nR-102\t2026-04-02\t0.3\tfalse',
    );
  });

  it('EML: headers, body, and attachments that can be read', async () => {
    const { kind, text } = await read('notice.eml');
    expect(kind).toBe('eml');
    expect(text).toMatch(/^From: Ines Córdoba <ines@fennick\.example>\nTo: legal@aldermoor\.example\n/);
    expect(text).toContain('Subject: Kündigung Vertrag 4711\n\nDear colleagues,\n\nwe terminate contract 4711');
    expect(text).toMatch(/# Attachment agreement\.pdf\n\n.*MASTER SERVICES AGREEMENT/);
    expect(text).toContain('# Attachment logo.bin\n\n(not read)');
  });

  it('that unpack to more than the limit, or are other archives, are refused', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(65 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(readFile({ name: 'a.docx', bytes: bomb }, () => undefined)).rejects.toThrow('unpacks to more than');
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`word/document${i}.xml`, bytesOf('a')])),
    );
    await expect(readFile({ name: 'a.docx', bytes: many }, () => undefined)).rejects.toThrow(
      'has more than 5000 parts',
    );
    const other = zipSync({ 'notes.txt': strToU8('hello') });
    await expect(readFile({ name: 'a.docx', bytes: other }, () => undefined)).rejects.toThrow(
      'is an archive, which is not supported',
    );
  });

  it.each([
    ['XFD1048576', 'has a sheet of more than 2000000 cells'],
    ['ZZZZZZ1', 'is damaged: a cell has no valid address'],
    ['XFE1', 'is damaged: a cell has no valid address'],
    ['D<![CDATA[3', 'is damaged'],
  ])('XLSX with a cell at %s is refused before its rows are allocated', async (address, problem) => {
    const sheet = `<worksheet><sheetData><row r="1"><c r="${address}"><v>1</v></c></row></sheetData></worksheet>`;
    const bytes = zipSync({ 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': strToU8(sheet) });
    await expect(readFile({ name: 'a.xlsx', bytes }, () => undefined)).rejects.toThrow(problem);
  });

  it('whose entries contain more than they declare are read up to the declared size', async () => {
    const archive = zipSync({ 'word/document.xml': new Uint8Array(1_000_000) });
    const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
    // The size without compression, in the local header and in the central directory.
    for (let at = 0; at < archive.length - 4; at += 1) {
      if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, 100, true);
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 100, true);
    }
    const before = process.memoryUsage().arrayBuffers;
    await expect(readFile({ name: 'a.docx', bytes: archive }, () => undefined)).rejects.toThrow('is damaged');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(500_000);
  });

  it.each(['employment.docx', 'figures.xlsx'])('%s with any byte changed gives text or a reason', async (name) => {
    const { bytes } = sample(name);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 150)) {
      const changed = new Uint8Array(bytes);
      changed[at]! ^= 0x55;
      const [problem] = [await readFiles([{ name, bytes: changed }], () => undefined)].flatMap((result) =>
        'problem' in result ? [result.problem] : [],
      );
      if (problem !== undefined) expect(problem).toMatch(/^(?:is|has|unpacks) /);
    }
  });
});

describe('files of text', () => {
  it.each([
    ['UTF-8', bytesOf('Prüfung\r\nzwei'), 'Prüfung\nzwei'],
    ['UTF-8 with a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), 'a'],
    ['Windows-1252', new Uint8Array([0x50, 0x72, 0xfc, 0x66, 0x80]), 'Prüf€'],
    ['UTF-16, little endian', new Uint8Array([0xff, 0xfe, 0x61, 0, 0xfc, 0]), 'aü'],
    ['UTF-16, big endian', new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0xfc]), 'aü'],
  ])('in %s', async (_encoding, bytes, text) => {
    expect((await readFile({ name: 'note.txt', bytes }, () => undefined)).text).toBe(text);
  });

  it('keep CSV unchanged, and read HTML as Markdown', async () => {
    expect(await readText('a.csv', 'a;b\n1;2')).toEqual({ kind: 'csv', text: 'a;b\n1;2' });
    expect(await readText('a.HTM', '<p>a</p><p>b</p>')).toEqual({ kind: 'html', text: 'a\n\nb\n' });
    await expect(readText('a.html', '<html><body><img src="scan.png"></body></html>')).rejects.toThrow('has no text');
  });

  it('JSON: labelled lines, and a table for a list of objects', async () => {
    const json = JSON.stringify({
      company: { name: 'Aldermoor' },
      rows: [
        { id: 1, net: 2.5 },
        { id: 2, note: 'late' },
      ],
    });
    expect((await readText('a.json', json)).text).toBe(
      'company.name: Aldermoor\n\n# rows\n\nid\tnet\tnote\n1\t2.5\n2\t\tlate',
    );
    expect(await readText('a.json', '{"event":1}\n{"event":2}')).toEqual({
      kind: 'text',
      text: '{"event":1}\n{"event":2}',
    });
    await expect(readText('a.json', `${'['.repeat(70)}1${']'.repeat(70)}`)).rejects.toThrow('more than 64 levels');
  });

  it('are refused if they are binary, empty or too long', async () => {
    await expect(readFile({ name: 'a.txt', bytes: new Uint8Array([1, 0, 2]) }, () => undefined)).rejects.toThrow(
      'has an unsupported format; send PDF, DOCX',
    );
    await expect(readText('a.txt', ' \n')).rejects.toThrow('has no text');
    await expect(readText('a.txt', 'a'.repeat(2_000_001))).rejects.toThrow('more than 2000000 characters');
    const long = { name: 'a.txt', bytes: new Uint8Array(fileBytesMax + 1) };
    await expect(readFile(long, () => undefined)).rejects.toThrow('has more than 5000000 bytes');
  });
});

describe('several files', () => {
  it('give their texts, or name the file that was not read', async () => {
    const texts = await readFiles([sample('contract.pdf'), { name: '', bytes: bytesOf('note') }], () => undefined);
    expect('problem' in texts ? [] : texts.map(({ kind }) => kind)).toEqual(['pdf', 'text']);
    expect(await readFiles([{ name: '', bytes: bytesOf('a') }, sample('encrypted.pdf')], () => undefined)).toEqual({
      index: 1,
      problem: 'is encrypted; send it without a password',
    });
    const half = { name: 'a.txt', bytes: bytesOf('a'.repeat(1_200_000)) };
    expect(await readFiles([half, half], () => undefined)).toMatchObject({ index: 1 });
  });

  it('stop between pages when the caller disconnects', async () => {
    let calls = 0;
    const stop = () => {
      calls += 1;
      if (calls === 3) throw new Error('left');
    };
    await expect(readFiles([sample('contract.pdf')], stop)).rejects.toThrow('left');
  });
});
