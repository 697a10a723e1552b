import { Hono } from 'hono';
import { type Caller, requireSession } from '../api/api.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { Refusal, refusalOf } from '../api/refusal.ts';
import { keepNote } from '../web/notes.ts';
import { type ConsoleEnv, requireToken, type Site } from '../web/site.ts';

/** Fields that an endpoint takes as a list; a form with one value sends one text. */
const LISTS: ReadonlySet<string> = new Set(['ids']);

/** The pages' forms: each sends its command, and then shows the page that it came from with the command's result. */
export function createActions(site: Site, call: Caller): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  for (const endpoint of ENDPOINTS.filter(({ effect }) => effect === 'writes')) {
    app.post(`/${endpoint.verb.replaceAll(' ', '-')}`, async (context) => {
      const session = requireSession(context);
      const { csrf, back, ...fields } = await context.req.parseBody({ all: true });
      requireToken(session, csrf);
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

/** A path of the console. Another address would lead the person to another site. */
function ownPath(back: unknown): string {
  if (typeof back === 'string' && /^\/(?![/\\])[\w/?=&%.:~-]*$/.test(back)) return back;
  throw new Refusal('invalid', 'The form names no page of the console.');
}

/** The result of a command, without values. */
function outcomeText({ verb }: Endpoint, answer: Readonly<Record<string, unknown>>): string {
  const { records, groups, version } = answer;
  if (Array.isArray(records)) return `${records.length} on the way.`;
  if (verb === 'undo') return 'The undo has begun; load the page again to see how far it is.';
  if (verb === 'conflicts resolve') return `Decided; the record is on its way.`;
  if (verb === 'mapping take-back') return `Version ${String(version)} is published. Workers take it within seconds.`;
  if (Array.isArray(groups)) return groups.length === 0 ? 'Nothing was paused.' : `Goes on: ${groups.join(', ')}.`;
  return `Done: ${verb}.`;
}
