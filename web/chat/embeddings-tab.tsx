/** Compares texts by the cosine of their embeddings. */
import { useState } from 'preact/hooks';
import type { Model } from '../api/answers.ts';
import { reasonOf } from '../api/request.ts';
import { noteEnded } from '../api/session.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { sendSealed } from '../proof/sealed-request.ts';

interface Row {
  readonly text: string;
  /** −1 to 1. */
  readonly similarity: number;
}

const columns: readonly Column<Row>[] = [
  { title: 'Text', cell: ({ text }) => text },
  { title: 'Similarity', isNumber: true, cell: ({ similarity }) => similarity.toFixed(3) },
];

export function EmbeddingsTab({ model }: { readonly model: Model }) {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const query = String(fields.get('query'));
    const texts = String(fields.get('texts'))
      .split('\n')
      .filter((line) => line.trim() !== '');
    setProblem('');
    try {
      const body = { model: model.id, input: [query, ...texts] };
      const { response } = await sendSealed('/v1/embeddings', body, new AbortController().signal);
      const { data } = (await response.json()) as { data: { embedding: number[] }[] };
      const [first, ...others] = data.map(({ embedding }) => embedding);
      const similar = others.map((other, index) => ({ text: texts[index]!, similarity: cosine(first!, other) }));
      setRows(similar.toSorted((a, b) => b.similarity - a.similarity));
    } catch (error) {
      noteEnded(error);
      setProblem(reasonOf(error));
    }
  };
  return (
    <section class="stack">
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label>
          Question
          <input name="query" required placeholder="How do I return a parcel?" />
        </label>
        <label>
          Texts, one per line
          <textarea name="texts" rows={5} required />
        </label>
        <p class="row">
          <span class="push" />
          <button type="submit" class="primary">
            Compare
          </button>
        </p>
      </form>
      <Problem text={problem} />
      {rows.length > 0 && (
        <DataTable
          caption="Texts by similarity to the question"
          columns={columns}
          rows={rows}
          keyOf={({ text }) => text}
        />
      )}
    </section>
  );
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, index) => sum + value * y[index]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
