/**
 * Documents that others published. The repository has a manifest of them and labels with values only; their texts are read from a
 * folder of the person who runs the evaluation.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readFile } from '../../agents/files/read-file.ts';
import { type LabelledDocument, readJson, Values } from './documents.ts';

const labelsFolder = join(import.meta.dirname, 'public');

const Entry = Type.Object(
  {
    /** Name of the file in the folder of public documents. */
    file: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]*$' }),
    agent: Type.String(),
    /** The day on which it was chosen. Authors of tools may have read a document that was chosen before the last change of tools. */
    chosen: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    /** Owner and name on GitHub. */
    repository: Type.String({ pattern: '^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$' }),
    commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
    path: Type.String(),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    licence: Type.String(),
    /** First character of the file that is evaluated, and the first that is not. */
    range: Type.Optional(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 1 })])),
  },
  { additionalProperties: false },
);
const Manifest = Type.Array(Entry);

const PublicLabels = Type.Object(
  {
    layout: Type.String(),
    language: Type.String(),
    facts: Type.Array(Type.Object({ kind: Type.String(), value: Values }, { additionalProperties: false })),
    absent: Type.Array(
      Type.Object({ kind: Type.String(), value: Values, why: Type.String() }, { additionalProperties: false }),
    ),
    complete: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);

export type PublicEntry = Static<typeof Entry>;
export type PublicLabels = Static<typeof PublicLabels>;

/** @throws Error if the manifest is malformed */
export function readManifest(): PublicEntry[] {
  const manifest = readJson(join(labelsFolder, 'manifest.json'));
  Value.Assert(Manifest, manifest);
  return manifest;
}

/** @throws Error if the labels are malformed */
export function readPublicLabels({ file }: PublicEntry): PublicLabels {
  const labels = readJson(join(labelsFolder, `${nameOf(file)}.facts.json`));
  Value.Assert(PublicLabels, labels);
  return labels;
}

/** Entries of documents that the folder lacks. */
export function missingDocuments(folder: string, manifest: readonly PublicEntry[]): PublicEntry[] {
  return manifest.filter(({ file }) => !existsSync(join(folder, file)));
}

export function sourceOf({ repository, commit, path }: PublicEntry): string {
  return `https://raw.githubusercontent.com/${repository}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** @throws Error if the document is missing, has another digest than in the manifest, or cannot be read as text */
export async function readPublicDocument(folder: string, entry: PublicEntry): Promise<LabelledDocument> {
  const bytes = readFileSync(join(folder, entry.file));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== entry.sha256) {
    throw new Error(
      `${entry.file} has the SHA-256 digest ${sha256}, expected ${entry.sha256}: download ${sourceOf(entry)}`,
    );
  }
  const { range } = entry;
  const part = range === undefined ? bytes : Buffer.from(bytes.toString('utf8').slice(...range));
  const { text } = await readFile({ name: entry.file, bytes: part }, () => {});
  const { facts, ...labels } = readPublicLabels(entry);
  return {
    name: nameOf(entry.file),
    text,
    labels: { ...labels, facts: facts.map((fact) => ({ ...fact, quote: '' })) },
  };
}

/** Of a document and of its labels and list. */
export function nameOf(file: string): string {
  return file.slice(0, -extname(file).length);
}
