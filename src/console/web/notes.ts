import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Note } from '../pages/layout.ts';
import { nameOf } from './cookies.ts';
import { type ConsoleContext, isSecure, type Site } from './site.ts';

const NAME = 'lockstep-note';
const SECONDS = 60;
const MOST = 500;

/** Keeps the message about an action's result in a cookie until the next page shows it. */
export function keepNote(site: Site, context: ConsoleContext, { isGood, text }: Note): void {
  const options = { path: '/', httpOnly: true, secure: isSecure(site), sameSite: 'Strict', maxAge: SECONDS } as const;
  setCookie(context, nameOf(site, NAME), `${isGood ? '+' : '-'}${text.slice(0, MOST)}`, options);
}

export function takeNote(site: Site, context: ConsoleContext): Note | null {
  const kept = getCookie(context, nameOf(site, NAME));
  if (kept === undefined) return null;
  deleteCookie(context, nameOf(site, NAME), { path: '/', secure: isSecure(site) });
  return { isGood: kept.startsWith('+'), text: kept.slice(1, MOST + 1) };
}
