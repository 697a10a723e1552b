import type { z } from 'zod';
import { LIMITED_STATUSES } from '../gateway.ts';
import { isDeprecated, OPERATION_ROUTES, type OrderRoute, type SalesRoute } from '../operations.ts';
import { DEFAULT_KEY_HEADER } from '../options.ts';
import { answersOf } from './answers.ts';
import { answerRef, answerSchemas, jsonSchema } from './components.ts';
import { exampleOf } from './examples.ts';
import { linksOf } from './links.ts';
import { parametersOf, requestOf } from './requests.ts';
import { STATUS_TEXTS, summaryOf } from './texts.ts';

type Route = SalesRoute | OrderRoute;

const DESCRIPTION =
  "A sandbox of the vendor's partner API: orders, catalog and API keys under /order/api4partners, lead-opportunities " +
  'and portfolio items under /sales/api4partners. Sets that the vendor does not show in full are open: any value is ' +
  'accepted and kept. Unknown fields are ignored.';

/** Sales spec 8.1. */
const LIMIT_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Total allowed quota in the current window.'],
    ['X-RateLimit-Remaining', 'Quota left in the window.'],
    ['X-RateLimit-Reset', 'Seconds until the window resets.'],
  ].map(([name, description]) => [
    name,
    { description, required: true, schema: { type: 'integer', minimum: 0 } },
  ]),
);

function responseOf(route: Route, status: number, answer: z.ZodType): object {
  const hasLimits = route.scope === 'sales' && LIMITED_STATUSES.includes(status);
  const links = status < 300 ? linksOf(route) : {};
  return {
    description: STATUS_TEXTS[status] ?? `HTTP ${status}`,
    ...(hasLimits && { headers: LIMIT_HEADERS }),
    content: { 'application/json': { schema: answerRef(answer) } },
    ...(Object.keys(links).length > 0 && { links }),
  };
}

function bodyOf(route: Route): object {
  const request = requestOf(route);
  if (request === undefined) return {};
  const schema = jsonSchema(request, 'input');
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { typical: { value: exampleOf(route).body } } } },
    },
  };
}

function operationOf(route: Route): object {
  const responses = Object.entries(answersOf(route)).map(([status, answer]) => [
    status,
    responseOf(route, Number(status), answer),
  ]);
  return {
    operationId: `${route.operation}_${route.label}`,
    summary: summaryOf(route),
    tags: [route.scope],
    ...(isDeprecated(route) && { deprecated: true }),
    parameters: parametersOf(route),
    ...bodyOf(route),
    responses: Object.fromEntries(responses),
    security: [{ ApiKeyAuth: [] }],
  };
}

/** The OpenAPI 3.1 document of the simulated API, made from the schemas that requests and answers are held to. */
export function openApiDocument(keyHeader: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of OPERATION_ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: "Sandbox of the vendor's partner API", version: '1', description: DESCRIPTION },
    tags: [
      { name: 'sales', description: 'Lead-opportunities and portfolio items.' },
      { name: 'order', description: 'Orders, price lists, accreditations, products and API keys.' },
    ],
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: keyHeader } },
      schemas: answerSchemas(),
    },
    paths,
  };
}

/** The document as the repository keeps it, in `docs/`: with the default key header, laid out for reading. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(DEFAULT_KEY_HEADER), null, 2)}\n`;
}
