import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { AppModule } from '../../src/app.module.js';
import { loadConfig } from '../../src/config/config.js';
import { controllersOf } from '../../src/openapi/controllers-of.js';
import { buildDocument } from '../../src/openapi/document.js';
import { connectLinks } from '../../src/resources/connect-links.js';
import { servedBy } from '../../src/resources/resource.controller.js';

const FILE = 'web/api-client/types.ts';

/** The schemas of the API description that each hand-written type stands for. */
const SCHEMAS: Record<string, string[]> = {
  Ref: ['Ref'],
  User: ['User'],
  UserDetailed: ['UserDetailed'],
  Organization: ['Organization'],
  Application: ['WorkplaceApplication'],
  Category: ['WorkplaceCategory'],
  View: ['View'],
  Task: ['Task'],
  TaskDetailed: ['TaskDetailed'],
  HistoryEvent: ['HistoryEvent'],
  TaskComment: ['TaskComment'],
  TaskFile: ['TaskFile'],
  TaskFilter: ['TaskFilter'],
  InboxFilter: ['InboxFilter'],
  Absence: ['Absence'],
  BulkResult: ['BulkResult'],
  InvalidField: ['InvalidField'],
  WaitingCounts: ['WaitingCounts'],
  Content: ['Document', 'News', 'Faq', 'Customer'],
  PasswordRules: ['PasswordRules'],
  ApiKey: ['ApiKey'],
  CodeHolder: ['CodeHolder'],
  SearchSection: ['SearchSection'],
  Session: ['Session'],
  MailSettings: ['MailSettings'],
};
/** Types of search answers and of single values, which no schema names attribute by attribute. */
const WITHOUT_SCHEMA = ['Locale', 'Outcome', 'SearchRecord', 'SearchEnvelope'];

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  $ref?: string;
}

/** Schemas of codes. */
const CODES = /\/(ReasonCode|SearchName)$/;

const NAMES: Record<string, string> = { integer: 'number', null: '' };
const sorted = (kinds: string[]): string =>
  [...new Set(kinds.map((kind) => NAMES[kind] ?? kind))].filter(Boolean).sort().join(' | ');

/** The JSON types that a schema allows besides null, e.g. `string`. */
function kindsOf({ type, enum: values, oneOf, anyOf, $ref }: Schema): string {
  if ($ref !== undefined) return CODES.test($ref) ? 'string' : 'object';
  if (values) return sorted(values.map((value) => (value === null ? 'null' : typeof value)));
  const variants = oneOf ?? anyOf;
  return sorted(variants ? variants.map(kindsOf) : [type ?? []].flat());
}

/** The JSON types that a TypeScript type allows besides null; an optional attribute has one where it is given. */
function kindsOfType(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.isUnion()) {
    const given = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    return sorted(given.map((one) => kindsOfType(one, checker)));
  }
  if (type.flags & ts.TypeFlags.Null) return 'null';
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  return checker.isArrayType(type) ? 'array' : 'object';
}

/** The attributes of each exported type of the pages, with their JSON types. */
function typesOfThePages(): Map<string, Record<string, string>> {
  const program = ts.createProgram([FILE], { strict: true, noEmit: true });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(FILE)!)!;
  return new Map(
    checker.getExportsOfModule(module).map((symbol) => {
      const attributes = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
      const kinds = attributes.map((attribute): [string, string] => [
        attribute.name,
        kindsOfType(checker.getTypeOfSymbol(attribute), checker),
      ]);
      return [symbol.name, Object.fromEntries(kinds)];
    }),
  );
}

describe('the types of the pages', () => {
  let types: Map<string, Record<string, string>>;
  let schemas: Record<string, Schema>;
  beforeAll(() => {
    types = typesOfThePages();
    const controllers = controllersOf(AppModule.with(loadConfig({})));
    connectLinks(servedBy(controllers));
    const document = buildDocument('', controllers) as unknown as {
      components: { schemas: Record<string, Schema> };
    };
    ({ schemas } = document.components);
  });

  it('each stand for a schema of the API description', () => {
    expect([...types.keys()].sort()).toEqual([...Object.keys(SCHEMAS), ...WITHOUT_SCHEMA].sort());
  });

  it.each(Object.entries(SCHEMAS))('%s has the attributes and JSON types of %j', (name, named) => {
    const attributes = types.get(name)!;
    for (const schema of named) {
      const described = Object.keys(attributes).map((attribute) => {
        const found = schemas[schema]?.properties?.[attribute];
        return [attribute, found && kindsOf(found)];
      });
      expect([schema, Object.fromEntries(described)]).toEqual([schema, attributes]);
    }
  });
});
