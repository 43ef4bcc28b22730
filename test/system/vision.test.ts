/** The demo vision model on the real server, through the official clients. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawShape, visionCatalogue } from '../support/models/shapes.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const model = 'cloister-demo-vision-TEE';
const imageTokens = 36;
const greedy = { temperature: 0 };
let server: RunningServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startServer(['--catalogue', visionCatalogue, '--prompt-lookup', 'on']);
  client = new OpenAI({ baseURL: server.listening.baseUrl, apiKey: server.listening.apiKey, maxRetries: 0 });
});

afterAll(() => server?.stop());

type Drawn = Parameters<typeof drawShape>;

async function draw(...shape: Drawn): Promise<Buffer> {
  const { pixels, width, height } = drawShape(...shape);
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

async function imagePart(...shape: Drawn) {
  const url = `data:image/png;base64,${(await draw(...shape)).toString('base64')}`;
  return { type: 'image_url', image_url: { url } } as const;
}

async function chat(content: OpenAI.ChatCompletionContentPart[], fields: object = {}) {
  const messages = [{ role: 'user', content } as const];
  return await client.chat.completions.create({ model, messages, temperature: 0, ...fields });
}

const ask = (text: string) => ({ type: 'text', text }) as const;

describe('a response with an image', () => {
  it('is answered from the image, and so is the request that continues it', async () => {
    const part = await imagePart('red', 'circle', 200);
    const { image_url: image } = part;
    const inChat = await chat([part, ask('What is in the image?')]);
    const first = await client.responses.create({
      ...{ model, temperature: 0, store: true },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: image.url, detail: 'auto' },
            { type: 'input_text', text: 'What is in the image?' },
          ],
        },
      ],
    });
    expect(first.output_text).toBe('a red circle');
    expect(first.usage!.input_tokens).toBe(inChat.usage!.prompt_tokens);
    const next = { model, temperature: 0, previous_response_id: first.id, input: 'What colour is the circle?' };
    const count = await client.responses.inputTokens.count(next);
    expect(count.input_tokens).toBeGreaterThan(first.usage!.input_tokens);
    expect((await client.responses.create(next)).usage!.input_tokens).toBe(count.input_tokens);
  });
});

describe('a chat with an image', () => {
  it('is answered from the image, whose embeddings count as tokens of the prompt', async () => {
    const seen = await chat([await imagePart('red', 'circle', 200), ask('What is in the image?')]);
    expect(seen.choices[0]!.message.content).toBe('a red circle');
    const blind = await chat([ask('What is in the image?')]);
    expect(blind.choices[0]!.message.content).toBe('I see no image.');
    expect(seen.usage!.prompt_tokens).toBe(blind.usage!.prompt_tokens + imageTokens);
  });

  it('is streamed', async () => {
    const content = [await imagePart('blue', 'square'), ask('What is in the image?')];
    const stream = await client.chat.completions.create({
      ...{ model, messages: [{ role: 'user', content }], temperature: 0, stream: true },
    });
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    expect(text).toBe('a blue square');
  });

  it('reuses the cached image of an earlier turn, and never that of another image', async () => {
    const question = ask('What is in the image?');
    const image = await imagePart('green', 'circle');
    const first = await chat([image, question]);
    const again = await chat([image, ask('What colour is the circle?')]);
    expect(again.choices[0]!.message.content).toBe('green');
    expect(again.usage!.prompt_tokens_details!.cached_tokens).toBeGreaterThan(imageTokens);
    const other = await chat([await imagePart('black', 'square'), question]);
    expect(other.choices[0]!.message.content).toBe('a black square');
    expect(other.usage!.prompt_tokens_details!.cached_tokens).toBeLessThan(first.usage!.prompt_tokens - imageTokens);
  });

  it('is computed in a batch with others, each from its own image', async () => {
    const shapes = [
      ['red', 'circle'],
      ['blue', 'square'],
      ['green', 'square'],
      ['black', 'circle'],
    ] as const;
    const answers = await Promise.all(
      shapes.map(async ([colour, shape]) =>
        chat([await imagePart(colour, shape), ask('What is in the image?')], { n: 2 }),
      ),
    );
    const contents = answers.map(({ choices }) => choices.map(({ message }) => message.content));
    expect(contents).toEqual(shapes.map(([colour, shape]) => new Array(2).fill(`a ${colour} ${shape}`)));
  });

  it("is answered on Anthropic's route, and counted before it is sent", async () => {
    const { baseUrl, apiKey } = server.listening;
    const anthropic = new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ''), apiKey, maxRetries: 0 });
    const data = (await draw('red', 'square')).toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data } as const;
    const content = [{ type: 'image', source } as const, ask('What is in the image?')];
    const messages = [{ role: 'user', content } as const];
    const answer = await anthropic.messages.create({ model, max_tokens: 20, messages, ...greedy });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'a red square' }]);
    const counted = await anthropic.messages.countTokens({ model, messages });
    expect(counted.input_tokens).toBe(answer.usage.input_tokens + (answer.usage.cache_read_input_tokens ?? 0));
  });
});

describe('what is refused', () => {
  it('is a link, and a file that is no image; no error or log has what was sent', async () => {
    const part = (url: string) => [{ type: 'image_url', image_url: { url } } as const, ask('Hi')];
    const link = await chat(part('https://example.com/canary-7d1.png')).catch((error) => error);
    expect(link).toMatchObject({ status: 400, error: expect.stringContaining('does not fetch links') });
    const file = `data:image/png;base64,${Buffer.from('canary-7d1').toString('base64')}`;
    const broken = await chat(part(file)).catch((error) => error);
    expect(broken).toMatchObject({ status: 400, error: expect.stringContaining('must be an intact JPEG') });
    expect(server.output + server.log + link.message + broken.message).not.toContain('canary-7d1');
  });
});

it('states the capability', async () => {
  expect(await client.models.retrieve(model)).toMatchObject({ capabilities: { vision: true } });
});
