/** Files that callers send to agents, and the XML inside office documents, which byte mutations of an archive seldom reach. */
import { strToU8, zipSync } from 'fflate';
import { FileProblem } from '../../../agents/files/file-text.ts';
import { readFile } from '../../../agents/files/read-file.ts';
import { bytesOf, type FuzzTarget, textOf } from '../target.ts';

const names = ['a.pdf', 'a.docx', 'a.xlsx', 'a.eml', 'a.json', 'a.csv', 'a.html', 'a.txt'];
const isRefusal = (error: unknown) => error instanceof FileProblem;
const relation = (type: string, target: string) =>
  strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`,
  );
const contentTypes = strToU8('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>');

/** Bytes of a file; its first byte decides by which name. */
const files: FuzzTarget = {
  name: 'agent-files',
  summary: 'files that agents read: PDF, office documents, messages, JSON and text',
  words: [
    'endobj',
    'stream',
    '/Length',
    '<<',
    '%PDF-',
    'PK\u0003\u0004',
    'Content-Type: ',
    '\r\n\r\n',
    '[[',
    '{"a":',
  ].map(bytesOf),
  cpuMsMax: 8_000,
  growthBytesMax: { after: 400 * 2 ** 20, during: 800 * 2 ** 20 },
  open: () => ({
    run: (input) => readFile({ name: names[(input[0] ?? 0) % names.length]!, bytes: input }, () => undefined),
    isRefusal,
  }),
};

const officeXml: FuzzTarget = {
  name: 'office-xml',
  summary: 'the XML of Word documents and of sheets',
  words: [
    '<w:p>',
    '</w:p>',
    '<w:tbl>',
    '<w:tc>',
    '<w:vMerge/>',
    '<row>',
    '<c t="s">',
    '<v>',
    '&amp;',
    '<!--',
    '<![CDATA[',
  ].map(bytesOf),
  cpuMsMax: 8_000,
  growthBytesMax: { after: 400 * 2 ** 20, during: 800 * 2 ** 20 },
  open: () => ({
    run: (input) => readFile(archiveOf(textOf(input)), () => undefined),
    isRefusal,
  }),
};

function archiveOf(xml: string) {
  const entries: Record<string, Uint8Array> = xml.includes('<w:')
    ? {
        '[Content_Types].xml': contentTypes,
        '_rels/.rels': relation('officeDocument', 'word/document.xml'),
        'word/document.xml': strToU8(xml),
      }
    : {
        '[Content_Types].xml': contentTypes,
        'xl/workbook.xml': strToU8(
          '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
        ),
        'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
        'xl/worksheets/sheet1.xml': strToU8(xml),
      };
  return { name: 'a.docx', bytes: zipSync(entries) };
}

export const targets: readonly FuzzTarget[] = [files, officeXml];
