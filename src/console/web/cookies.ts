import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { SESSION_MS } from '../access/sessions.ts';
import { type ConsoleContext, isSecure, type Site } from './site.ts';

const optionsOf = (site: Site) => ({ path: '/', httpOnly: true, secure: isSecure(site) });

/** The name of a cookie. Over TLS it begins with `__Host-`, so that browsers accept the cookie from this host only. */
export function nameOf(site: Site, name: string): string {
  return isSecure(site) ? `__Host-${name}` : name;
}

const SESSION = 'lockstep';

export function sessionCookie(site: Site, context: ConsoleContext): string | undefined {
  return getCookie(context, nameOf(site, SESSION));
}

/** Sets the cookie of a session. Browsers omit it from requests that another site causes, so no other site can act as the person. */
export function setSessionCookie(site: Site, context: ConsoleContext, token: string): void {
  const maxAge = SESSION_MS / 1000;
  setCookie(context, nameOf(site, SESSION), token, { ...optionsOf(site), sameSite: 'Strict', maxAge });
}

export function dropSessionCookie(site: Site, context: ConsoleContext): void {
  deleteCookie(context, nameOf(site, SESSION), optionsOf(site));
}

const SIGN_IN = 'lockstep-sign-in';
const SIGN_IN_SECONDS = 600;

/** Sets the cookie with the state of a sign-in at another site. Browsers send it when that site sends the person back. */
export function setSignInCookie(site: Site, context: ConsoleContext, value: string): void {
  setCookie(context, nameOf(site, SIGN_IN), value, { ...optionsOf(site), sameSite: 'Lax', maxAge: SIGN_IN_SECONDS });
}

/** Returns the state of a sign-in from its cookie, and deletes the cookie, so that the state can be used only once. */
export function takeSignInCookie(site: Site, context: ConsoleContext): string | undefined {
  const value = getCookie(context, nameOf(site, SIGN_IN));
  deleteCookie(context, nameOf(site, SIGN_IN), optionsOf(site));
  return value;
}
