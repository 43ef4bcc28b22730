/** What the suite `clients` knows of a client: its package, and checks that each prove one thing. Imports no client. */

/** Columns of the table in `docs/reference/clients.md`; the last three are listed in its column of further routes. */
export const areas = ['text', 'stream', 'tools', 'typed', 'errors', 'embeddings', 'images', 'tokens'] as const;
export type Area = (typeof areas)[number];

/** The server that the suite started, and the models that it serves. */
export interface Place {
  /** `https://localhost:<port>`. */
  readonly origin: string;
  /** With `/openai/v1`. */
  readonly openAiUrl: string;
  readonly apiKey: string;
  /** Path of the certificate that clients in other processes trust. */
  readonly certificatePath: string;
  /** A scratch folder, empty for each check. */
  readonly folder: string;
}

export interface Check {
  readonly proves: readonly Area[];
  /** A fact, continuing the name of the client. */
  readonly title: string;
  readonly run: (place: Place) => Promise<void>;
  /** Default: that of the project. */
  readonly timeoutMs?: number;
}

export interface TestedClient {
  /** As in the table. */
  readonly name: string;
  /** The package whose version the table shows: of npm, or of PyPI after `pypi:`. */
  readonly package: string;
  readonly checks: readonly Check[];
  /** Not installed on this machine. */
  readonly isMissing?: boolean;
}

export const models = {
  chat: 'cloister-demo-TEE',
  embedding: 'cloister-demo-embedding-TEE',
  image: 'cloister-demo-image-TEE',
  /** Calls tools as `scripted-model.ts` says, at any temperature. */
  scripted: 'scripted-TEE',
} as const;

export const hello = 'Hello! Who are you?';
export const city = 'Bern';
/** The demo model is too small to end a free text in JSON reliably. */
export const cities = [city, 'Oslo'] as const;
export const sunny = 'It is sunny there today.';
export const weatherQuestion = 'What is the weather in Bern?';
/** JSON schema of the arguments of `get_weather`, and of typed answers. */
export const citySchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const, enum: [...cities] } },
  required: ['city'],
  additionalProperties: false,
};
/** More tokens than the demo model's context of 4,096. */
export const tooLong = 'word '.repeat(6000);

/** A tool's function. @returns the weather · @param inputs receives the arguments */
export function noteWeather(inputs: unknown[], input: unknown): string {
  inputs.push(input);
  return 'sunny';
}
