import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';

/** A piece of a page. Values that are put into `html` are escaped. */
export type Html = ReturnType<typeof html>;

/** One section of a page, with a link in the navigation. */
export type Section = { readonly id: string; readonly title: string; readonly body: Html };

export type PageContent = {
  readonly title: string;
  readonly lead: Html;
  /** Names and values of the present state, shown under the title. */
  readonly chips: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly Section[];
  /** Whether the page lacks the script that follows the log of requests. */
  readonly isStatic?: boolean;
};

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const STYLE = asset('./page.css');
const SCRIPT = asset('./browser/page-client.js');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows a page its own style and script, by their hashes, and calls to its own origin. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A whole page, readable without its script. */
export function renderPage({ title, lead, chips, sections, isStatic = false }: PageContent): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1>${title}</h1>
${lead}
<ul class="chips" id="now" data-live>${chips.map(([name, value]) => html`<li>${name} <b>${value}</b></li>`)}</ul>
</header>
<nav aria-label="On this page"><ul>${sections.map(
    ({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav>
<main id="content">
${sections.map(
  ({ id, title: name, body }) =>
    html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${name}</h2>${body}</section>`,
)}
</main>
<p id="said" role="status"></p>
${isStatic ? '' : html`<script type="module">${raw(SCRIPT)}</script>`}
</body>
</html>`;
}
