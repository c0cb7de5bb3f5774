import type { InvalidField } from '../../base/errors/api-errors.js';
import {
  type Fault,
  faultOfRule,
  faultsOf,
  isBlank as isBlankText,
} from '../../base/validation/class-validation.js';
import type { Attribute } from '../attributes/attribute.js';
import { NameAttribute } from '../attributes/name-attribute.js';
import type { ParsedBody, Values } from './pending-write.js';
import type { Resource } from '../resource.js';
import { isId, uriOf } from '../uri.js';
import { reason } from '../../base/errors/reason.js';

/** Read-only attributes that name the row itself: in a PUT they must match. */
const IDENTITY = ['id', 'uri'];

const isBlank = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

/** A required attribute is never blank, so one that is shown blank links an object hidden from the caller. */
const isHidden = ({ name, options }: Attribute, before: Values | undefined): boolean =>
  options.required === true && before !== undefined && isBlank(before[name]);

/**
 * Parses a body of POST or PUT (docs/api-contract.md#request-bodies). Null and omitted are blank; unknown attributes
 * are faults. In a PUT, a given id or uri must match. In a POST, read-only attributes are faults, unless the body is a
 * representation from a GET: the POST then makes a copy. A required link to an object hidden from the caller reads as
 * blank, so a blank leaves it unchanged.
 * @param before the representation to replace; undefined on creation
 * @param isPut whether the body replaces the object, so that it must state who sees the object
 */
export const parseBody = (
  resource: Resource,
  body: unknown,
  before?: Values,
  isPut = false,
): ParsedBody =>
  parse(resource, body, { takesWriteOnly: true, before, isNew: before === undefined, isPut });

/**
 * Parses a record of an import, which has no write-only attributes.
 * @param isNew whether the record creates a row; otherwise omitted attributes stay as they are
 * @param key the names by which its row was found, if it was
 */
export const parseRecord = (
  resource: Resource,
  record: unknown,
  isNew: boolean,
  key: Values = {},
): ParsedBody => parse(resource, record, { takesWriteOnly: false, before: undefined, isNew, key });

function parse(
  resource: Resource,
  body: unknown,
  {
    takesWriteOnly,
    before,
    isNew,
    isPut = false,
    key = before ?? {},
  }: {
    takesWriteOnly: boolean;
    before: Values | undefined;
    isNew: boolean;
    isPut?: boolean;
    key?: Values;
  },
): ParsedBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { values: {}, faults: [{ name: 'body', reason: reason('not-an-object') }] };
  const given = body as Values;
  const shape = shapeOf(resource, takesWriteOnly);
  const { writable } = shape;
  const copiedId = isNew ? copiedIdOf(resource, given) : undefined;
  const faults = [
    ...unknownOf(resource, writable, given),
    ...(isNew
      ? validateReadOnly(resource, writable, given, copiedId)
      : validateIdentity(given, before)),
  ];
  const keepsOmitted = !isNew && before === undefined;
  const values: Values = {};
  for (const [name, attribute] of writable) {
    const isGiven = Object.hasOwn(given, name);
    if (keepsOmitted && !isGiven) continue;
    const value = isGiven ? given[name] : undefined;
    if (!attribute.isBlank(value)) values[name] = value;
    else if (isPut && attribute.options.requiredInPut)
      faults.push({ name, reason: reason('required-in-put') });
    else if (isHidden(attribute, before)) continue;
    else if (isNew || !attribute.options.keptWhenBlank)
      values[name] = attribute.options.default ?? null;
  }
  faults.push(...faultsOfValues(shape, withoutOldNames(shape, values, key)));
  return { values, faults, copiedId };
}

/** An object may keep its present name, whatever the rules for new names. */
const withoutOldNames = ({ writable }: BodyShape, values: Values, before: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !(writable.get(name) instanceof NameAttribute && before[name] === value),
    ),
  );

/** The attributes that a body can write, and the class whose decorators check them. */
interface BodyShape {
  writable: Map<string, Attribute>;
  checker: new () => Values;
  /** The plain checks behind the decorators of each attribute; undefined where one of them has no plain form. */
  rules: Map<string, (Fault | undefined)[]>;
}

/**
 * Made once per resource, because class-validator never frees the metadata of a class. Bodies and import records are
 * two shapes of one resource.
 */
const bodyShapes = new WeakMap<Resource, BodyShape>();
const recordShapes = new WeakMap<Resource, BodyShape>();

function shapeOf(resource: Resource, takesWriteOnly: boolean): BodyShape {
  const shapes = takesWriteOnly ? bodyShapes : recordShapes;
  let shape = shapes.get(resource);
  if (!shape) {
    const writable = new Map(
      resource.writable.filter(([, { options }]) => takesWriteOnly || !options.writeOnly),
    );
    const checker = class {} as new () => Values;
    const rules = new Map<string, (Fault | undefined)[]>();
    for (const [name, attribute] of writable) {
      const decorators = attribute.rules();
      for (const rule of decorators) rule(checker.prototype as object, name);
      rules.set(name, decorators.map(faultOfRule));
    }
    shape = { writable, checker, rules };
    shapes.set(resource, shape);
  }
  return shape;
}

function unknownOf(
  resource: Resource,
  writable: Map<string, Attribute>,
  given: Values,
): InvalidField[] {
  return Object.keys(given)
    .filter((name) => !resource.attributes.has(name) && !writable.has(name))
    .map((name) => ({
      name,
      reason: reason('unknown-attribute', { known: [...writable.keys()] }),
    }));
}

function validateIdentity(given: Values, before: Values | undefined): InvalidField[] {
  return IDENTITY.filter((name) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return !isBlank(value) && asText(value) !== before?.[name];
  }).map((name) => ({
    name,
    reason: before ? reason('not-its-own', { value: String(before[name]) }) : reason('generated'),
  }));
}

/** Some clients write an id as a number. */
const asText = (id: unknown): unknown => (Number.isSafeInteger(id) ? String(id) : id);

/** A body with an id and the matching uri copies a representation: only a GET provides both. */
function copiedIdOf({ ref }: Resource, given: Values): string | undefined {
  const id = Object.hasOwn(given, 'id') ? asText(given.id) : undefined;
  return typeof id === 'string' && isId(id) && given.uri === uriOf(ref.uri, id) ? id : undefined;
}

function validateReadOnly(
  resource: Resource,
  writable: Map<string, Attribute>,
  given: Values,
  copiedId: string | undefined,
): InvalidField[] {
  if (copiedId !== undefined) return [];
  return Object.keys(given)
    .filter((name) => resource.attributes.has(name) && !writable.has(name) && !isBlank(given[name]))
    .map((name) => ({ name, reason: reason('read-only') }));
}

/** The faults of the values: blank required attributes, and violated rules. */
function faultsOfValues(shape: BodyShape, values: Values): InvalidField[] {
  const { writable, checker } = shape;
  const missing = [...writable].flatMap(([name, { options }]) =>
    options.required && name in values && isUnfilled(values[name]) ? [name] : [],
  );
  if (missing.length === 0 && isValid(shape, values)) return [];
  return [
    ...missing.map((name) => ({ name, reason: reason('required') })),
    ...faultsOf(Object.assign(new checker(), values), { skipMissingProperties: true }).filter(
      ({ name }) => !missing.includes(name),
    ),
  ];
}

/** Whether every value passes. It saves class-validator, which takes ten times as long, for most bodies. */
const isValid = ({ rules }: BodyShape, values: Values): boolean =>
  Object.entries(values).every(
    ([name, value]) =>
      isBlank(value) || rules.get(name)!.every((fault) => fault && fault(value) === undefined),
  );

/** Whether a value of a required attribute counts as missing; a text without visible characters does. */
const isUnfilled = (value: unknown): boolean =>
  isBlank(value) || (typeof value === 'string' && isBlankText(value));
