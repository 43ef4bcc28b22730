/** Makes images from a description. */
import { useState } from 'preact/hooks';
import type { Model } from '../api/answers.ts';
import { reasonOf } from '../api/request.ts';
import { noteEnded } from '../api/session.ts';
import { Problem } from '../parts/problem.tsx';
import { sendSealed } from '../proof/sealed-request.ts';

interface MadeImage {
  readonly prompt: string;
  readonly url: string;
}

const sizesDefault = ['256x256', '512x512', '1024x1024'];

export function ImagesTab({ model }: { readonly model: Model }) {
  const [made, setMade] = useState<readonly MadeImage[]>([]);
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const prompt = String(fields.get('prompt'));
    setIsBusy(true);
    setProblem('');
    try {
      const body = { model: model.id, prompt, size: fields.get('size'), response_format: 'b64_json' };
      const { response } = await sendSealed('/v1/images/generations', body, new AbortController().signal);
      const { data } = (await response.json()) as { data: { b64_json: string }[] };
      setMade([...data.map((image) => ({ prompt, url: `data:image/png;base64,${image.b64_json}` })), ...made]);
    } catch (error) {
      noteEnded(error);
      setProblem(reasonOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <section class="stack">
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label>
          Description
          <textarea name="prompt" rows={2} required placeholder="a red circle above a blue square" />
        </label>
        <div class="row">
          <label>
            Size{' '}
            <select name="size">
              {sizesDefault.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </select>
          </label>
          <span class="push" />
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Drawing…' : 'Draw'}
          </button>
        </div>
      </form>
      <Problem text={problem} />
      <div class="gallery" aria-live="polite">
        {made.map(({ prompt, url }) => (
          <figure key={url}>
            <img src={url} alt={prompt} />
            <figcaption>{prompt}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
