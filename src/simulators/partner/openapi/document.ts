import { z } from 'zod';
import { OPERATION_ROUTES, type OrderRoute, type SalesRoute } from '../operations.ts';
import { answersOf } from './answers.ts';
import { parametersOf, requestOf } from './requests.ts';

/** v0 operations that a v1 path replaces (sales spec 9, order spec 9). */
function isDeprecated(route: SalesRoute | OrderRoute): boolean {
  const hasSuccessor = OPERATION_ROUTES.some(
    (other) => other.operation === route.operation && other.label === 'v1',
  );
  return route.label === 'v0' && hasSuccessor;
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

function operationOf(route: SalesRoute | OrderRoute): object {
  const request = requestOf(route);
  const responses = Object.entries(answersOf(route)).map(([status, answer]) => [
    status,
    {
      description: `HTTP ${status}`,
      content: { 'application/json': { schema: jsonSchema(answer, 'output') } },
    },
  ]);
  return {
    operationId: `${route.operation}_${route.label}`,
    tags: [route.scope],
    ...(isDeprecated(route) && { deprecated: true }),
    parameters: parametersOf(route),
    ...(request !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(request, 'input') } },
      },
    }),
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
    info: { title: "Sandbox of the vendor's partner API", version: '1' },
    components: { securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: keyHeader } } },
    paths,
  };
}
