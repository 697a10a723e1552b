import type { Hono } from 'hono';
import { readObject } from '../../core/admin-body.ts';
import { refusal } from '../../core/refusal.ts';
import { FormulaError } from '../formula/types.ts';
import type { Org } from '../org.ts';
import type { AutomationSource } from './automations.ts';

const EVENTS: readonly unknown[] = ['create', 'update', 'both'];

/**
 * `GET automations`, `POST automations` `{object, on, when, set}` (before-save automations: formulas that rewrite fields; `on` is `create`,
 * `update` or `both`), `DELETE automations`, `GET notices` (parts of the metadata, and requests of clients, that are not simulated), `PUT
 * picklists` `{field, value, becomes}` (an administrator renames a value, or with null deactivates it), `DELETE picklists`.
 */
export function addRuleRoutes(admin: Hono, org: Pick<Org, 'automations' | 'notices' | 'asked' | 'picklists'>): void {
  const { automations } = org;
  admin.get('/notices', (c) => c.json({ notices: org.notices, asked: [...org.asked] }));
  admin.get('/automations', (c) => c.json({ automations: automations.list() }));
  admin.post('/automations', async (c) => {
    const { object, on = 'both', when, set } = await readObject(c, ['object', 'on', 'when', 'set']);
    const isComplete = typeof object === 'string' && EVENTS.includes(on) && isTexts(set);
    if (!isComplete || (when !== undefined && typeof when !== 'string')) {
      throw refusal(400, 'Give an object, formulas by field in set, and on as create, update or both.');
    }
    const source = { object, on, set, ...(when !== undefined && { when }) } as AutomationSource;
    try {
      automations.add(source);
    } catch (error) {
      if (error instanceof FormulaError) throw refusal(400, `${error.message} (at ${error.at + 1})`);
      throw error;
    }
    return c.json({ automations: automations.list() }, 201);
  });
  admin.delete('/automations', (c) => {
    automations.clear();
    return c.body(null, 204);
  });
  addPicklistRoutes(admin, org);
}

function addPicklistRoutes(admin: Hono, { picklists }: Pick<Org, 'picklists'>): void {
  admin.get('/picklists', (c) => c.json({ edits: picklists.list() }));
  admin.put('/picklists', async (c) => {
    const { field, value, becomes } = await readObject(c, ['field', 'value', 'becomes']);
    const isComplete = typeof field === 'string' && typeof value === 'string';
    if (!isComplete || (becomes !== null && (typeof becomes !== 'string' || becomes === '')))
      throw refusal(400, 'Give a field as Opportunity.StageName, its value, and what it becomes, or null.');
    if (!picklists.edit({ field, value, becomes })) throw refusal(400, 'The field has no such value.');
    return c.json({ edits: picklists.list() });
  });
  admin.delete('/picklists', (c) => {
    picklists.clear();
    return c.body(null, 204);
  });
}

function isTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => typeof each === 'string');
}
