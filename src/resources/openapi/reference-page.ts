import type { Json } from './component.js';

interface Reference {
  $ref: string;
}

interface Content {
  schema: Json;
  example?: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: object[];
  parameters: (Parameter | Reference)[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> } | Reference>;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;border-bottom:1px solid;padding-bottom:.25rem}summary{cursor:pointer;padding:.3rem 0}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid;border-radius:.4rem}
b{display:inline-block;min-width:4.5rem;font-family:ui-monospace,monospace}small{opacity:.75}`;

/** Renders the API description as a page without scripts or external files, so that it works in any network. */
export function renderReference(description: Json): string {
  const paths = description.paths as Record<string, Record<string, Operation>>;
  const { schemas, parameters } = description.components as {
    schemas: Record<string, Json>;
    parameters: Record<string, Parameter>;
  };
  const sections = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0]!;
      const rendered = renderOperation(method, path, operation, parameters);
      sections.set(tag, [...(sections.get(tag) ?? []), rendered]);
    }
  const { title, version } = description.info as { title: string; version: string };
  const body = [...sections].map(([tag, items]) => `<h2>${escape(tag)}</h2>${items.join('')}`);
  const models = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="${escape(name)}"><summary><code>${escape(name)}</code></summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escape(title)} API</title><style>${STYLE}</style></head><body><h1>${escape(title)} API ${escape(version)}</h1>` +
    `<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>${body.join('')}<h2>Schemas</h2>${models.join('')}</body></html>`
  );
}

/** The style sheet, whose digest the content security policy allows. */
export const REFERENCE_STYLE = STYLE;

function renderOperation(
  method: string,
  path: string,
  { operationId, summary, security, parameters, requestBody, responses }: Operation,
  components: Record<string, Parameter>,
): string {
  const rows = parameters
    .map((one) => ('$ref' in one ? components[nameIn(one)]! : one))
    .map(
      ({ name, in: place, required, description = '' }) =>
        `<li><code>${escape(name)}</code> <small>${escape(place)}${required ? ', required' : ''}</small> ${escape(description)}</li>`,
    );
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [] : [`<div>${escape(status)}: ${renderContent(response.content)}</div>`],
  );
  // Errors have the same body everywhere, so the page shows only their statuses.
  const errors = Object.keys(responses).filter((status) => '$ref' in responses[status]!);
  return (
    `<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code> ${escape(summary)}` +
    `${security.every((one) => !('header' in one)) ? ' <small>(no token)</small>' : ''}</summary>` +
    `<p><small>${escape(operationId)}</small></p>` +
    (rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '') +
    (requestBody ? `<div>Body: ${renderContent(requestBody.content)}</div>` : '') +
    `${answers.join('')}<p>Errors: ${escape(errors.join(', '))}</p></details>`
  );
}

function renderContent(content: Record<string, Content> | undefined): string {
  if (!content) return 'no body';
  const types = Object.entries(content).map(
    ([type, { schema }]) => `<code>${escape(type)}</code> ${renderSchema(schema)}`,
  );
  const [{ example } = {} as Partial<Content>] = Object.values(content);
  const pre = example === undefined ? '' : `<pre>${escape(JSON.stringify(example, null, 2))}</pre>`;
  return types.join(', ') + pre;
}

function renderSchema(schema: Json): string {
  if (typeof schema.$ref === 'string') {
    const name = escape(nameIn({ $ref: schema.$ref }));
    return `<a href="#${name}">${name}</a>`;
  }
  if (schema.type === 'array') return `array of ${renderSchema(schema.items as Json)}`;
  const either = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return either ? either.map(renderSchema).join(' or ') : '';
}

const nameIn = ({ $ref }: Reference): string => $ref.split('/').at(-1)!;

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
