/** Tools that search for wording in some languages note it if a text is in another language. */
import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../../agents/agent/agent.ts';
import { controlMapping } from '../../../agents/tools/compliance/control-mapping.ts';
import { clauseChecklist } from '../../../agents/tools/contract/clause-checklist.ts';
import { redFlags } from '../../../agents/tools/due-diligence/red-flags.ts';

const english =
  'The supplier keeps records of all access to the systems and reviews them each month. The records are kept for two years and may not be ' +
  'changed by any person who is not a member of the security team, and a copy of them is held at another place.';
const german =
  'Der Lieferant führt Aufzeichnungen über jeden Zugriff auf die Systeme und prüft sie monatlich. Die Aufzeichnungen werden zwei Jahre ' +
  'aufbewahrt und dürfen von niemandem geändert werden, der nicht dem Sicherheitsteam angehört; eine Kopie liegt an einem anderen Ort, ' +
  'zu dem nur die Leitung Zutritt hat, und wird jährlich geprüft.';

describe.each([controlMapping, clauseChecklist, redFlags].map((tool) => [tool.name, tool] as const))(
  '%s',
  (_name, tool: AgentTool) => {
    const languageIn = (text: string) => tool.run([{ message: 0, text }]);

    it('notes that it reads English only if a text is in another language', () => {
      const { result, digest } = languageIn(german);
      expect(result).toMatchObject({ language: 'other' });
      expect(digest.join('\n')).toMatch(
        /reads English(?: wording| and German wording|, German, French, Spanish and Dutch wording)/,
      );
    });

    it('adds no language note if a text is in English or too short to detect', () => {
      expect(languageIn(english).result).toMatchObject({ language: 'english' });
      expect(languageIn('Hallo.').result).toMatchObject({ language: 'too short to say' });
      for (const text of [english, 'Hallo.']) expect(languageIn(text).digest.join('\n')).not.toContain('reads English');
    });
  },
);
