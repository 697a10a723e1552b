import { jsonSchema } from '../openapi/components.ts';
import { requestOf } from '../openapi/requests.ts';
import { isDeprecated, type OrderRoute, type SalesRoute } from '../operations.ts';
import { pageBoundsOf } from '../page-bounds.ts';
import { ignoredHeaders } from './headers.ts';
import type { Breach } from './rules.ts';
import { type ShapeSchema, unknownField, unknownFields } from './unknown-fields.ts';

type Route = SalesRoute | OrderRoute;

export type ReceivedRequest = {
  readonly route: Route;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The body as text; empty for none. */
  readonly body: string;
};

/** The partner of the key, and the header that carried the key. `usesV0`: the client has chosen v0, so v0 paths are no breach. */
export type Caller = { readonly partnerId: string; readonly keyHeader: string; readonly usesV0: boolean };

/** Limit of reported breaches for one request. */
const MAX_BREACHES = 20;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Everything in a request that the documents do not allow. */
export function findBreaches(request: ReceivedRequest, caller: Caller): readonly Breach[] {
  const { route, query, headers } = request;
  return [
    ...(caller.usesV0 ? [] : deprecatedVersion(route)),
    ...contentType(request),
    ...unknownParameters(route, query),
    ...bodyBreaches(request, caller.partnerId),
    ...ignoredHeaders(headers, caller.keyHeader),
  ].slice(0, MAX_BREACHES);
}

function deprecatedVersion(route: Route): readonly Breach[] {
  if (!isDeprecated(route)) return [];
  return [{ rule: 'deprecated-version', place: '', detail: 'v0 is deprecated here: use the v1 path.' }];
}

function contentType({ route, headers, body }: ReceivedRequest): readonly Breach[] {
  if (body === '') return [];
  const breach = (detail: string): readonly Breach[] => [{ rule: 'content-type', place: 'content-type', detail }];
  if (requestOf(route) === undefined) return breach('This operation takes no body.');
  const type = headers.get('content-type');
  if (type === null) return breach('The body has no content type; it must be application/json.');
  return JSON_TYPE.test(type) ? [] : breach('The content type must be application/json, in UTF-8.');
}

function unknownParameters(route: Route, query: URLSearchParams): readonly Breach[] {
  const known = pageBoundsOf(route.operation) === undefined ? [] : ['skip', 'top'];
  const names = [...new Set(query.keys())].filter((name) => !known.includes(name));
  return names.map((name) => unknownField('?', name, known));
}

function bodyBreaches({ route, body }: ReceivedRequest, partnerId: string): readonly Breach[] {
  const schema = shapeOf(route);
  const value = parsed(body);
  if (schema === undefined || value === undefined) return [];
  return [...unknownFields(schema, value), ...foreignPartner(value, partnerId), ...nullsOfDeal(value)];
}

function foreignPartner(body: unknown, partnerId: string): readonly Breach[] {
  const given = (body as { readonly partnerId?: unknown } | null)?.partnerId;
  if (typeof given !== 'string' || given === partnerId) return [];
  const detail = 'partnerId is not the partner that the key stands for.';
  return [{ rule: 'foreign-partner', place: '/partnerId', detail }];
}

/** Breaches by nulls in a lead-opportunity's request: only keys of the legal entity may be null (sales spec 2.6). */
function nullsOfDeal(body: unknown): readonly Breach[] {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'leadOpportunity')) return [];
  return nullValues(body, '');
}

function nullValues(value: unknown, place: string): readonly Breach[] {
  if (value === null) {
    const detail = 'null is shown in answers only: leave the field out, or send "" or [] to unset it.';
    return [{ rule: 'null-value', place, detail }];
  }
  if (typeof value !== 'object') return [];
  const fields = Object.entries(value).filter(([key]) => key !== 'customerLegalEntity');
  return fields.flatMap(([key, inner]) => nullValues(inner, `${place}/${key}`));
}

const shapes = new Map<Route, ShapeSchema | undefined>();

function shapeOf(route: Route): ShapeSchema | undefined {
  if (!shapes.has(route)) {
    const request = requestOf(route);
    shapes.set(route, request && (jsonSchema(request, 'input') as ShapeSchema));
  }
  return shapes.get(route);
}

/** The body as JSON; `undefined` for other text, which the operation itself refuses. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
