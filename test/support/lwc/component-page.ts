import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transformSync } from '@lwc/compiler';
import type { Browser, Page, Route } from 'playwright-core';

/** Shows a Lightning web component of the CRM package in a real browser: compiled by LWC, on a page without a server. */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const OWN = join(ROOT, 'crm-package', 'main', 'default', 'lwc');
const STAND_INS = join(import.meta.dirname, 'stand-ins', 'lightning');
/** Any address; every request to it is answered here. */
const ORIGIN = 'http://org.example';
const SERVICES = ['uiRecordApi', 'uiRelatedListApi', 'uiListsApi', 'navigation'];
const moduleOf = (name: string): string => {
  const main = createRequire(import.meta.url).resolve(name);
  return join(dirname(main), 'index.js');
};
const LIBRARIES: Readonly<Record<string, string>> = {
  '/lwc.js': moduleOf('@lwc/engine-dom'),
  '/synthetic-shadow.js': moduleOf('@lwc/synthetic-shadow'),
};

/** Rows and rights of the user who looks at the page, for `stand-ins/lightning/org.js`. */
export type StandInOrg = {
  readonly rows: Readonly<
    Record<string, { readonly apiName: string; readonly fields: Readonly<Record<string, unknown>> }>
  >;
  readonly syncsOf: Readonly<Record<string, readonly string[]>>;
  readonly list: readonly string[];
  /** Salesforce's sentence for each update, if it refuses them. */
  readonly refuses?: string;
};

type Shown = {
  readonly component: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly org: StandInOrg;
  readonly width: number;
  /** Sends a user's update to an org behind the page. Returns the refusal, null for none. */
  readonly send?: (object: string, id: string, fields: object) => Promise<string | null>;
};

/** Opens a page with one component. `said`: warnings and errors of the browser and of LWC. */
export async function showComponent(
  browser: Browser,
  shown: Shown,
): Promise<{ readonly page: Page; readonly said: string[] }> {
  const page = await browser.newPage({
    viewport: { width: shown.width, height: 720 },
    deviceScaleFactor: 1,
    hasTouch: shown.width < 500,
    reducedMotion: 'reduce',
  });
  const said: string[] = [];
  page.on('console', (message) => ['warning', 'error'].includes(message.type()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.route(`${ORIGIN}/**`, (route) => answer(route, shown));
  if (shown.send !== undefined) await page.exposeFunction('sendUpdate', shown.send);
  await page.goto(`${ORIGIN}/`);
  await page.locator(tagOf(shown.component)).waitFor();
  return { page, said };
}

/** `c-lockstep-sides` for `lockstepSides`. */
function tagOf(component: string): string {
  return `c-${component.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function answer(route: Route, shown: Shown): Promise<void> {
  const { pathname, search } = new URL(route.request().url());
  if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: htmlOf(shown) });
  const library = LIBRARIES[pathname];
  const body = library === undefined ? compiled(pathname + search) : readFileSync(library, 'utf8');
  return body === null ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: 'text/javascript', body });
}

/** The compiled module of a path such as `/c/lockstepSides/lockstepSides.html`; null if there is none. Throws on any warning of LWC. */
export function compiled(path: string): string | null {
  const [, namespace, name = '', file = 'org.js'] = /^\/(c|lightning)\/(?:(\w+)\/)?([\w.]+)/.exec(path) ?? [];
  const source = join(namespace === 'c' ? OWN : STAND_INS, name, file);
  if (!existsSync(source)) return path.includes('.css') || path.includes('.html') ? 'export default undefined;' : null;
  const text = readFileSync(source, 'utf8');
  if (name === '') return text;
  const { code, warnings = [] } = transformSync(text, file, { namespace: namespace ?? '', name });
  if (warnings.length > 0) throw new Error(`${path}: ${warnings.map(({ message }) => message).join(' ')}`);
  return code;
}

function htmlOf({ component, attributes = {}, org }: Shown): string {
  const imports = Object.fromEntries([
    ['lwc', '/lwc.js'],
    ['@salesforce/i18n/locale', "data:text/javascript,export default 'en-US'"],
    ...SERVICES.map((service) => [`lightning/${service}`, '/lightning/org.js']),
    ...['button', 'icon', 'spinner', 'relativeDateTime'].map((name) => [
      `lightning/${name}`,
      `/lightning/${name}/${name}.js`,
    ]),
    ...['Rows', 'Actions', 'FieldTable', 'Sides', 'Conflicts'].map((part) => [
      `c/lockstep${part}`,
      `/c/lockstep${part}/lockstep${part}.js`,
    ]),
  ]);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>x</title>
<link rel="icon" href="data:,"><style>${STYLE}</style>
<script>globalThis.process = { env: {} }; globalThis.org = ${JSON.stringify(org)};</script>
<script type="importmap">${JSON.stringify({ imports })}</script></head><body><main></main>
<script type="module">
import '/synthetic-shadow.js';
const { createElement } = await import('lwc');
const { default: is } = await import('c/${component}');
const element = createElement('${tagOf(component)}', { is });
Object.assign(element, ${JSON.stringify(attributes)});
document.querySelector('main').append(element);
</script></body></html>`;
}

/** What the design system of an org sets for every page, as far as the components rest on it. */
const STYLE = `*{box-sizing:border-box}body{margin:0;background:#f3f3f3;color:#181818;font:13px/1.5 "DejaVu Sans",sans-serif}
main{padding:12px;max-width:64rem;margin:auto}h1,h2,h3,p,ul{margin:0;padding:0;font-size:inherit;font-weight:inherit}ul{list-style:none}
.slds-card{border:1px solid #c9c9c9;border-radius:.75rem;overflow:hidden}`;
