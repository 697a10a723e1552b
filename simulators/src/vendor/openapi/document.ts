import type { z } from 'zod';
import { DEFAULT_PORTS } from '../../core/default-ports.ts';
import { LIMITED_STATUSES } from '../gateway.ts';
import { isDeprecated, OPERATION_ROUTES, type OrderRoute, type SalesRoute } from '../operations.ts';
import { DEFAULT_KEY_HEADER, type StrictVersion } from '../options.ts';
import { answersOf, strictAnswerOf } from './answers.ts';
import { answerRef, answerSchemas, jsonSchema } from './components.ts';
import { exampleOf } from './examples.ts';
import { linksOf } from './links.ts';
import { parametersOf, requestOf } from './requests.ts';
import { descriptionOf, STATUS_TEXTS, summaryOf } from './texts.ts';

type Route = SalesRoute | OrderRoute;

const DESCRIPTION =
  "A sandbox of the vendor's partner API: orders, catalog and API keys under /order/api4partners, lead-opportunities " +
  'and portfolio items under /sales/api4partners. Sets that the vendor does not show in full are open: any value is ' +
  'accepted and kept. Unknown fields are ignored.';

/** The rate-limit headers of an answer (sales spec 8.1). */
const LIMIT_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Total allowed quota in the current window.'],
    ['X-RateLimit-Remaining', 'Quota left in the window.'],
    ['X-RateLimit-Reset', 'Seconds until the window resets.'],
  ].map(([name, description]) => [name, { description, required: true, schema: { type: 'integer', minimum: 0 } }]),
);

/** Settings of the OpenAPI document. */
export type DocumentOptions = {
  /** Name of the header that carries the key. */
  readonly keyHeader: string;
  /** The sandbox's address, without a trailing slash. */
  readonly origin: string;
  /**
   * The API version of a strict sandbox; null if not strict. The document then has closed objects, the strict refusal at every operation
   * and, for `v1`, no deprecated paths.
   */
  readonly strict: StrictVersion | null;
};

function responseOf(route: Route, status: number, answers: readonly z.ZodType[]): object {
  const hasLimits = route.scope === 'sales' && LIMITED_STATUSES.includes(status);
  const links = status < 300 ? linksOf(route) : {};
  const refs = [...new Set(answers)].map(answerRef);
  const schema = refs.length === 1 ? refs[0] : { anyOf: refs };
  return {
    description: STATUS_TEXTS[status] ?? `HTTP ${status}`,
    ...(hasLimits && { headers: LIMIT_HEADERS }),
    content: { 'application/json': { schema } },
    ...(Object.keys(links).length > 0 && { links }),
  };
}

/** The bodies of each status that a route may answer with. */
function bodiesOf(route: Route, strict: boolean): ReadonlyMap<number, readonly z.ZodType[]> {
  const bodies = new Map(Object.entries(answersOf(route)).map(([status, body]) => [Number(status), [body]]));
  if (strict) bodies.set(400, [...(bodies.get(400) ?? []), strictAnswerOf(route)]);
  return bodies;
}

function responsesOf(route: Route, strict: boolean): object {
  return Object.fromEntries(
    Array.from(bodiesOf(route, strict), ([status, bodies]) => [status, responseOf(route, status, bodies)]),
  );
}

function bodyOf(route: Route, strict: boolean): object {
  const request = requestOf(route);
  if (request === undefined) return {};
  const schema = jsonSchema(request, 'input', strict);
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { typical: { value: exampleOf(route).body } } } },
    },
  };
}

function operationOf(route: Route, strict: boolean): object {
  return {
    operationId: `${route.operation}_${route.label}`,
    summary: summaryOf(route),
    description: descriptionOf(route),
    tags: [route.scope],
    ...(isDeprecated(route) && { deprecated: true }),
    parameters: parametersOf(route),
    ...bodyOf(route, strict),
    responses: responsesOf(route, strict),
    security: [{ ApiKeyAuth: [] }],
  };
}

/** The OpenAPI 3.1 document of the simulated API, made from the schemas that validate requests and answers. */
export function openApiDocument({ keyHeader, origin, strict }: DocumentOptions): object {
  const isStrict = strict !== null;
  const routes = OPERATION_ROUTES.filter((route) => !(strict === 'v1' && isDeprecated(route)));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, isStrict) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: "Sandbox of the vendor's partner API",
      version: '1',
      description: DESCRIPTION,
      contact: { name: 'The people who run this sandbox', url: origin },
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: origin, description: 'This sandbox.' }],
    tags: [
      { name: 'sales', description: 'Lead-opportunities and portfolio items.' },
      { name: 'order', description: 'Orders, price lists, accreditations, products and API keys.' },
    ],
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: keyHeader } },
      schemas: answerSchemas(new Set(routes.flatMap((route) => [...bodiesOf(route, isStrict).values()].flat()))),
    },
    paths,
  };
}

/** The document as the repository keeps it, in `docs/`: of the sandbox as it starts by default, laid out for reading. */
export function openApiText(): string {
  const options = {
    keyHeader: DEFAULT_KEY_HEADER,
    origin: `http://127.0.0.1:${DEFAULT_PORTS.vendor}`,
    strict: null,
  };
  return `${JSON.stringify(openApiDocument(options), null, 2)}\n`;
}
