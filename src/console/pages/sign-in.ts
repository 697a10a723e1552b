import { html } from 'hono/html';
import type { Page } from './layout.ts';
import type { Html } from './parts.ts';

export type SignInWays = { readonly oidc: boolean; readonly proxy: boolean };

export function signInPage({ oidc, proxy }: SignInWays): Page {
  const ways: readonly Html[] = [
    ...(oidc ? [html`<p><a href="/sign-in/oidc">Sign in with your organization’s account</a></p>`] : []),
    ...(proxy ? [html`<p><a href="/sign-in/proxy">Sign in through the proxy</a></p>`] : []),
    html`<p>Or open a one-time link. On the machine that runs Lockstep: <code>lockstep console link</code></p>`,
  ];
  return { title: 'Sign in', session: null, body: html`<section>${ways}</section>` };
}

/** The page of a one-time link. The person presses a button, so that a program that only follows links does not use up the link. */
export function linkPage(token: string): Page {
  const body = html`<section><form method="post" action="/sign-in/link"><input type="hidden" name="token" value="${token}"><button>Sign in</button></form></section>`;
  return { title: 'Sign in', session: null, body };
}

/**
 * A page that opens the console at once, after a sign-in. After a redirect instead, the person would seem signed out: the identity
 * provider's site would count as the cause of the request, so the browser would not send the new session cookie.
 */
export function signedInPage(): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signed in · Lockstep</title><meta http-equiv="refresh" content="0;url=/"></head><body><main><h1>Signed in</h1><p><a href="/">Go on</a></p></main></body></html>`;
}
