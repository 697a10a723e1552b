import { Hono } from 'hono';
import { type Caller, requireSession } from '../api/api.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { Refusal, refusalOf } from '../api/refusal.ts';
import { keepNote } from '../web/notes.ts';
import { type ConsoleEnv, requireToken, type Site } from '../web/site.ts';
import { layout } from './layout.ts';
import { actionName } from './parts.ts';
import { tokenMadePage } from './tokens.ts';

/**
 * The names of those input fields of endpoints that contain a list. If a form has a single value for such a field, the browser sends a
 * text. `inputOf` then makes a list with one item from the text.
 */
const LISTS: ReadonlySet<string> = new Set(['ids', 'fields', 'orders']);

/**
 * Makes the routes that receive the pages' forms. Each route runs the form's command, and then leads back to the page of the form, which
 * shows the result.
 */
export function createActions(site: Site, call: Caller): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  for (const endpoint of ENDPOINTS.filter(({ method }) => method === 'POST')) {
    app.post(`/${actionName(endpoint.verb)}`, async (context) => {
      const session = requireSession(context);
      const { csrf, back, ...fields } = await context.req.parseBody({ all: true });
      requireToken(session, csrf);
      if (endpoint.verb === 'console token') {
        // The answer's token is shown on this page only, and in no cookie or address.
        const made = await call(endpoint, inputOf(fields), session);
        return context.html(layout(tokenMadePage(made as unknown as Parameters<typeof tokenMadePage>[0], session)));
      }
      const note = await call(endpoint, inputOf(fields), session).then(
        (answer) => ({ isGood: true, text: outcomeText(endpoint, answer) }),
        (error: unknown) => {
          const refusal = refusalOf(error);
          if (refusal === null) throw error;
          return { isGood: false, text: refusal.message };
        },
      );
      keepNote(site, context, note);
      return context.redirect(ownPath(back), 303);
    });
  }
  return app;
}

function inputOf(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, LISTS.has(name) ? [value].flat() : value]));
}

/**
 * Returns the path to go back to after a command. Throws `Refusal` for anything but a path of the console, because a form could otherwise
 * lead to another site.
 */
function ownPath(back: unknown): string {
  if (typeof back === 'string' && /^\/(?![/\\])[\w/?=&%.:~-]*$/.test(back)) return back;
  throw new Refusal('invalid', 'The form names no page of the console.');
}

/** A sentence about the records of a command: how many will be synced soon, and how many the command refused, with the first reason. */
function onTheWay(records: readonly { readonly refused?: string | null }[]): string {
  const refused = records.flatMap(({ refused }) => refused ?? []);
  const sent = `${records.length - refused.length} on the way.`;
  return refused.length === 0 ? sent : `${sent} ${refused.length} not changed: ${refused[0]}`;
}

/** The sentence that a page shows after a command, for commands whose result the general sentence (`Done: …`) does not describe. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  'plan start': 'The plan is being made.',
  'plan cancel': 'The plan is cancelled.',
  backfill: 'The backfill has begun.',
  'backfill cancel': 'The backfill ends.',
  'keys set': 'The key is in use; what was paused because of the last one goes on within five minutes.',
  undo: 'The undo has begun.',
  'undo cancel': 'The undo ends.',
  audit: 'The audit has begun.',
  'audit stop': 'The audit ends.',
  'console revoke': 'The token is revoked.',
  link: 'The two are one deal; it is on its way.',
  unlink: 'The two are separate.',
  'find-order link': 'Linked; Salesforce shows it after the next pull of orders.',
  'tenants remove': 'The tenant is out of service; its records stay in the ledger.',
  'catalog refresh': 'A refresh of the catalog is asked for.',
};

/** The note that a page shows after a command: its result in a sentence, without values. */
function outcomeText({ verb }: Endpoint, answer: Readonly<Record<string, unknown>>): string {
  const { records, groups, moves, version } = answer;
  if (Array.isArray(moves))
    return `${moves.filter(({ verdict }) => verdict === 'moved').length} moved, and on the way.`;
  if (Array.isArray(records)) return onTheWay(records);
  if (verb === 'notices test') return testText(answer);
  if (verb === 'conflicts resolve') return `Decided; the record is on its way.`;
  if (verb === 'mapping take-back') return `Version ${String(version)} is published. Workers take it within seconds.`;
  if (OWN_TEXTS[verb] !== undefined) return OWN_TEXTS[verb];
  if (Array.isArray(groups)) return groups.length === 0 ? 'Nothing was paused.' : `Goes on: ${groups.join(', ')}.`;
  return `Done: ${verb}.`;
}

function testText({ channel, sent, error }: Readonly<Record<string, unknown>>): string {
  return sent === true ? `The channel ${channel} took the test.` : `The channel ${channel} did not take it: ${error}.`;
}
