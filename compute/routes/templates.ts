/** Templates, read-only (C-072). */
import { Type } from '@cloister/server/schema/type';
import { notFound } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { type Operation, ok, operation } from '../http/operation.ts';
import type { ConfidentialTemplate, StandardTemplate } from '../inventory/templates.ts';
import * as shape from '../schemas/inventory.ts';

export function templateOperations(base: string): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${base}/templates`,
      id: 'listTemplates',
      summary: 'Templates of confidential machines; with ?provider=standard those of standard pods',
      access: 'templates',
      query: { provider: Type.Enum(['confidential', 'standard']) },
      answers: { 200: shape.templateList },
      errors: [400, 503],
      async handle({ service: { templates }, query: { provider = 'confidential' } }) {
        const { standard, confidential } = await templates.catalogue();
        const items = provider === 'standard' ? standard.map(standardItem) : confidential.map(confidentialItem);
        return ok({ success: true, items });
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/templates/:id`,
      id: 'getTemplate',
      summary: 'One template with its commands, arguments, ports and environment variables',
      access: 'templates',
      answers: { 200: shape.templateManifest },
      errors: [404, 503],
      async handle({ service: { templates }, parameters: { id } }) {
        const { standard, confidential } = await templates.catalogue();
        const vm = confidential.find(({ uid }) => uid === id);
        if (vm !== undefined) return ok({ ...confidentialItem(vm), ...startOf(vm) });
        const container = standard.find((one) => one.id === id);
        if (container === undefined) throw notFound('template', 'list the templates');
        return ok({ ...standardItem(container), image: container.image, ...startOf(container) });
      },
    }),
  ];
}

function standardItem({
  id,
  name,
  description,
  category,
  default: isDefault,
}: StandardTemplate): ReadonlyStatic<typeof shape.standardTemplate> {
  return { id, name, description, category, provider: 'standard', default: isDefault };
}

function confidentialItem(template: ConfidentialTemplate): ReadonlyStatic<typeof shape.confidentialTemplate> {
  const { uid, name, description, type, image, resource_name, visibility } = template;
  return { uid, name, description, type, image, resource_name, visibility };
}

function startOf({ commands, args, ports, env }: ConfidentialTemplate | StandardTemplate) {
  return { commands, args, ports, env };
}
