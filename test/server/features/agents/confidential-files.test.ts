/** Files in messages to agents: which are read, what the tools and the model get, and what is refused. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { inlineTools } from '../../../support/agents/test-agent.ts';
import { type ConfidentialApp, startConfidentialApp } from '../../../support/server/confidential-app.ts';
import { modelId } from '../../../support/server/test-app.ts';

let running: ConfidentialApp | undefined;

async function start(...options: Parameters<typeof startConfidentialApp>): Promise<ConfidentialApp> {
  running = await startConfidentialApp(...options);
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const file = (filename: string, content: string | Uint8Array) => ({
  type: 'file',
  file: { filename, file_data: base64(content) },
});
const inputFile = (filename: string, content: string, mime = 'text/plain') => ({
  type: 'input_file',
  filename,
  file_data: `data:${mime};base64,${base64(content)}`,
});
const ask = { type: 'text', text: 'Which parcels are named?' };
const pdf = readFileSync(new URL('../../../agents/files/samples/contract.pdf', import.meta.url));

describe('files in messages to an agent', () => {
  it('are separate documents, numbered before the message that contains them', async () => {
    const tools = inlineTools();
    const { ask: send, engine } = await start({ tools, script: (chat) => void chat.answer('Two.') });
    const content = [ask, file('list.csv', 'name\nparcel 12'), inputFile('note.txt', 'parcel 7 is here')];
    const { status, json } = await send({
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'user', content },
      ],
    });
    expect(status).toBe(200);
    expect(tools.tasks[0]?.documents).toEqual([
      { message: 0, text: 'Hello.' },
      { message: 1, text: 'name\nparcel 12' },
      { message: 2, text: 'parcel 7 is here' },
      { message: 3, text: 'Which parcels are named?' },
    ]);
    expect((json() as { agent?: unknown }).agent).toMatchObject({
      tools: [
        {
          result: {
            parcels: [
              { name: 'parcel 12', message: 1 },
              { name: 'parcel 7', message: 2 },
            ],
          },
        },
      ],
      documents: [
        { message: 0 },
        { message: 1, file: 0, kind: 'csv', characters: 14 },
        { message: 1, file: 1, kind: 'text', characters: 16 },
        { message: 1 },
      ],
    });
    const prompt = JSON.stringify(engine.chats.at(-1)?.request.input.messages);
    for (const text of ['parcel 12', 'parcel 7 is here', 'Which parcels are named?']) expect(prompt).toContain(text);
  });

  it('may be a PDF, whose pages are listed, and a message may contain only files', async () => {
    const { ask: send } = await start({ script: (chat) => void chat.answer('None.') });
    const { status, json } = await send({ messages: [{ role: 'user', content: [file('contract.pdf', pdf)] }] });
    expect(status).toBe(200);
    expect((json() as { agent?: unknown }).agent).toMatchObject({
      documents: [{ message: 0, file: 0, kind: 'pdf', page_starts: [0, expect.any(Number), expect.any(Number)] }],
    });
  });

  it('may be a filing in HTML: the tools and the model read its text, not its markup', async () => {
    const tools = inlineTools();
    const { ask: send, engine } = await start({ tools, script: (chat) => void chat.answer('Two.') });
    const cell = (text: string) =>
      `<td style="padding:0 1pt;${'text-align:right;'.repeat(20)}"><font>${text}</font></td>`;
    const rows = ['parcel 3', 'parcel 4'].map((name) => `<tr>${cell(name)}${cell('$')}${cell('1,200')}</tr>`);
    const html = `<html><body><h1>Parcels</h1><table>${rows.join('')}</table></body></html>`;
    await send({ messages: [{ role: 'user', content: [file('list.htm', html), ask] }] });
    const read = '# Parcels\n\n| parcel 3 | $ 1,200 |\n| --- | --- |\n| parcel 4 | $ 1,200 |\n';
    expect(tools.tasks[0]?.documents[0]).toEqual({ message: 0, text: read });
    expect(JSON.stringify(engine.chats.at(-1)?.request.input.messages)).toContain(JSON.stringify(read).slice(1, -1));
  });

  it('may have more text than a message: the model receives passages of it', async () => {
    const { ask: send, engine } = await start({ script: (chat) => void chat.answer('One.') });
    const long = `${'Nothing is said in this line of the letter.\n\n'.repeat(20_000)}parcel 9 is here.`;
    const { status, json } = await send({ messages: [{ role: 'user', content: [file('long.txt', long), ask] }] });
    expect(status).toBe(200);
    expect((json() as { agent?: unknown }).agent).toMatchObject({
      tools: [{ result: { parcels: [{ name: 'parcel 9', message: 0 }] } }],
      context: { complete: false, of: long.length + ask.text.length },
    });
    expect(JSON.stringify(engine.chats.at(-1)?.request.input.messages).length).toBeLessThan(200_000);
  });

  it.each([
    ['not base64', [{ type: 'file', file: { file_data: 'not base64!' } }], 'messages[0].content[0].file.file_data'],
    ['empty', [{ type: 'input_file', file_data: '' }], 'messages[0].content[0].file_data'],
    ['without data', [{ type: 'file', file: { file_id: 'file-1' } }], 'messages[0].content[0].file.file_data'],
    ['of an unknown kind', [ask, file('a.bin', new Uint8Array([0, 1, 2]))], 'file 1 of the request'],
    ['damaged', [file('canary.txt', 'a'), file('b.pdf', '%PDF-1.4')], 'file 2 of the request'],
    ['21 in number', Array.from({ length: 21 }, () => file('a.txt', 'a')), 'messages[0].content[20]'],
    ['of another type of part', [{ type: 'image_url', image_url: { url: 'data:' } }], 'messages[0].content[0]'],
  ])('that are %s are refused, without quoting the caller', async (_what, content, named) => {
    const { ask: send, engine } = await start();
    const { status, json } = await send({ messages: [{ role: 'user', content }] });
    expect([status, json().error]).toEqual([400, expect.stringContaining(named)]);
    expect(json().error).not.toContain('canary');
    expect(engine.chats).toEqual([]);
  });

  it('have at most 5,000,000 bytes in total', async () => {
    const { ask: send } = await start();
    const half = file('a.txt', 'a'.repeat(2_600_000));
    const { status, json } = await send({ messages: [{ role: 'user', content: [half, half] }] });
    expect([status, json().error]).toEqual([400, expect.stringContaining('messages[0].content[1].file.file_data')]);
  });

  it.each([
    ['a model on the confidential surface', '/v1/confidential/chat/completions'],
    ['a model on the direct route', '/v1/chat/completions'],
  ])('are refused by %s', async (_what, url) => {
    const { app, secret } = await start();
    const response = await app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${secret}` },
      payload: { model: modelId, messages: [{ role: 'user', content: [file('a.txt', 'a')] }] },
    });
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      expect.stringContaining('only agents read files'),
    ]);
  });

  it('are refused in a member `attachments`, and the error names the correct place', async () => {
    const { ask: send } = await start();
    const { status, json } = await send({ attachments: [{ file_data: 'YQ==' }] });
    expect([status, json().error]).toEqual([400, expect.stringContaining('`attachments`')]);
  });
});
