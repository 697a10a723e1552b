import type { Hono } from 'hono';
import { readObject } from '../../core/admin-body.ts';
import { refusal } from '../../core/refusal.ts';
import { find } from '../admin-records.ts';
import type { Org } from '../org.ts';
import type { TriggerCost } from './apex-triggers.ts';
import type { LimitSettings } from './org-limits.ts';

const TRIGGER_FIELDS: ReadonlySet<string> = new Set(['object', 'queriesPerRow', 'cpuMsPerRow']);

/**
 * `GET limits`, `PUT limits` `{readOnly, longRequests, triggers}` (each optional), `DELETE limits` (as at the start, no row locked), `PUT
 * records/{id}/lock` `{locked}`.
 */
export function addLimitRoutes(admin: Hono, org: Org): void {
  const { limits } = org;
  admin.get('/limits', (c) => c.json(limits.state()));
  admin.put('/limits', async (c) => {
    const settings = await readObject(c, ['readOnly', 'longRequests', 'triggers']);
    checkSettings(settings);
    try {
      limits.set(settings as Partial<LimitSettings>);
    } catch (error) {
      throw refusal(400, error instanceof Error ? error.message : String(error));
    }
    return c.json(limits.state());
  });
  admin.delete('/limits', (c) => {
    limits.load();
    return c.body(null, 204);
  });
  admin.put('/records/:id/lock', async (c) => {
    const id = c.req.param('id');
    const { locked } = await readObject(c, ['locked']);
    if (typeof locked !== 'boolean') throw refusal(400, 'Say by true or false whether the record is locked.');
    const found = find(org, id);
    if (found === undefined) throw refusal(404, 'There is no record with this id.');
    limits.lock(String(found.row['Id']), locked);
    return c.json(limits.state());
  });
}

function checkSettings({ readOnly, longRequests, triggers }: Readonly<Record<string, unknown>>): void {
  if (readOnly !== undefined && typeof readOnly !== 'boolean')
    throw refusal(400, 'Say by true or false whether the org is readOnly.');
  if (longRequests !== undefined && !isCount(longRequests))
    throw refusal(400, 'longRequests must be a whole number from 0.');
  const areTriggers = Array.isArray(triggers) && triggers.every(isTrigger);
  if (triggers !== undefined && !areTriggers)
    throw refusal(400, 'Give triggers as a list of {object, queriesPerRow, cpuMsPerRow}, numbers from 0.');
}

function isTrigger(value: unknown): value is TriggerCost {
  if (typeof value !== 'object' || value === null) return false;
  const { object, queriesPerRow = 0, cpuMsPerRow = 0 } = value as Readonly<Record<string, unknown>>;
  const hasOnlyKnown = Object.keys(value).every((name) => TRIGGER_FIELDS.has(name));
  return hasOnlyKnown && typeof object === 'string' && isCount(queriesPerRow) && isCount(cpuMsPerRow);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
