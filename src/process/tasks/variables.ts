import { type Fault, faultOfText, faultsOfItems } from '../../base/validation/class-validation.js';
import { atLeast, listOf, texts } from '../../resources/openapi/schemas.js';
import { JsonAttribute } from '../../resources/attributes/json-attribute.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** A value of the process that helps a person to decide (docs/api-contract.md#tasks-of-sources). */
export interface Variable {
  name: string;
  /** The label for people; by default the name. */
  label: string;
  value: unknown;
}

/** Most variables of a task, and the maximum size of them all as JSON. */
const MAX_VARIABLES = 100;
const MAX_KIB = 16;

const MAX_NAME = 100;
const MAX_LABEL = 200;

const SCHEMA = {
  type: 'array',
  maxItems: MAX_VARIABLES,
  items: {
    type: 'object',
    required: ['name', 'value'],
    properties: {
      name: { type: 'string', maxLength: MAX_NAME },
      label: { type: ['string', 'null'], maxLength: MAX_LABEL },
      value: {},
    },
    additionalProperties: false,
  },
};

const NAMES = ['name', 'label', 'value'];

function faultOfVariable(value: unknown): Reason | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return reason('bad-members', { members: 'name, label and value' });
  const { name, label = null } = value as Partial<Variable>;
  if (Object.keys(value).some((key) => !NAMES.includes(key)) || !Object.hasOwn(value, 'value'))
    return reason('bad-members', { members: 'name, label and value' });
  if (name === '') return reason('empty-name');
  const ofName = faultOfText(name, MAX_NAME);
  if (ofName !== undefined) return ofName.at({ member: 'name' });
  const ofLabel = label === null ? undefined : faultOfText(label, MAX_LABEL);
  if (ofLabel !== undefined) return ofLabel.at({ member: 'label' });
  return (value as Variable).value === undefined || isExact((value as Variable).value)
    ? undefined
    : reason('inexact-number', { value: String(name) });
}

/** Whether every number is finite, and each whole number is one that a 64-bit float keeps. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

function faultOf(value: unknown): ReturnType<Fault> {
  if (!Array.isArray(value) || value.length > MAX_VARIABLES)
    return reason('too-many-items', { max: MAX_VARIABLES, noun: 'variables' });
  const fault = faultsOfItems(value, faultOfVariable);
  if (fault !== undefined) return fault;
  const names = new Set((value as Variable[]).map(({ name }) => name));
  return names.size < value.length ? reason('repeated-name') : undefined;
}

/** The attribute `variables` of tasks. */
export const variables = () =>
  new JsonAttribute({
    maxKiB: MAX_KIB,
    fault: faultOf,
    normalize: (value) =>
      (value as Variable[]).map(({ name, label, value: given }) => ({
        label: label ?? name,
        name,
        value: given,
      })),
    schema: SCHEMA,
    answer: listOf(atLeast({ ...texts('name', 'label'), value: {} })),
  });
