import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';

const REFUSAL = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
} as const;

type Json = Readonly<Record<string, unknown>>;

/** The API as an OpenAPI 3.1 document, made from the table of endpoints. */
export function openApi(version: string): Json {
  const paths = Map.groupBy(ENDPOINTS, ({ path }) => path);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lockstep',
      version,
      description:
        'The operators’ commands over HTTP. Each answer is the one that the command prints with `--json`. Sign in to the console first; a change sends the session’s token in the header X-Lockstep-CSRF. A program sends a token that an administrator made for it.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ session: [] }, { program: [] }],
    paths: Object.fromEntries(
      [...paths].map(([path, rows]) => [
        path,
        Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), operation(row)])),
      ]),
    ),
    components: {
      schemas: { Refusal: REFUSAL },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'lockstep' },
        program: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(row: Endpoint): Json {
  const { properties = {}, required = [] } = schemaOf(row.input, 'input') as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameter = (name: string, where: 'path' | 'query') => {
    const { description, ...schema } = properties[name] ?? {};
    return { name, in: where, required: required.includes(name), ...(description ? { description } : {}), schema };
  };
  const isBody = row.method === 'POST';
  const body = {
    type: 'object',
    required: required.filter((name) => others.includes(name)),
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
  };
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary: row.summary,
    description: `As \`lockstep ${row.verb}\`. Needs the role ${row.role}.`,
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(isBody ? [] : others.map((name) => parameter(name, 'query'))),
    ],
    ...(isBody ? { requestBody: { required: true, content: jsonOf(body) } } : {}),
    responses: {
      200: { description: 'The answer.', content: jsonOf(schemaOf(row.answer, 'output')) },
      default: { description: 'A refusal.', content: jsonOf({ $ref: '#/components/schemas/Refusal' }) },
    },
  };
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
