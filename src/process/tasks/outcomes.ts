import { type Fault, faultOfText, faultsOfItems } from '../../base/validation/class-validation.js';
import {
  faultOfTranslations,
  storedTranslations,
  type Translations,
  translationsSchema,
} from '../../resources/attributes/translations-attribute.js';
import { atLeast, flag, listOf, texts } from '../../resources/openapi/schemas.js';
import { JsonAttribute } from '../../resources/attributes/json-attribute.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** A way to close a task, such as "approve" (docs/api-contract.md#tasks-of-sources). */
export interface Outcome {
  name: string;
  /** The text of the button; by default the name. */
  label: string;
  /** Whether the person must give a comment. */
  commentRequired: boolean;
  /** Whether the page asks the person to confirm the choice. */
  confirm: boolean;
  /** The label in other languages; left out where there is none. */
  translations?: Translations;
}

const MAX_OUTCOMES = 5;

/** Maximum lengths in characters. */
export const MAX_OUTCOME_NAME = 50;
const MAX_LABEL = 100;

/** What has translations. */
const TRANSLATED = { label: MAX_LABEL };

const SCHEMA = {
  type: 'array',
  maxItems: MAX_OUTCOMES,
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: MAX_OUTCOME_NAME },
      label: { type: ['string', 'null'], maxLength: MAX_LABEL },
      commentRequired: { type: ['boolean', 'null'] },
      confirm: { type: ['boolean', 'null'] },
      translations: { ...translationsSchema(TRANSLATED), type: ['object', 'null'] },
    },
    additionalProperties: false,
  },
};

const ANSWER = listOf(
  atLeast(
    {
      ...texts('name', 'label'),
      commentRequired: flag,
      confirm: flag,
      translations: translationsSchema(TRANSLATED),
    },
    ['translations'],
  ),
);

const NAMES = Object.keys(SCHEMA.items.properties);
const RULE = reason('bad-members', {
  members: 'name, label, commentRequired, confirm and translations',
});

/** An outcome of a body. */
type Given = Partial<Omit<Outcome, 'translations'>> & { translations?: unknown };

const isFlag = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'boolean';

function faultOfOutcome(value: unknown): Reason | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return RULE;
  const { name, label = null, commentRequired, confirm, translations } = value as Given;
  if (Object.keys(value).some((key) => !NAMES.includes(key))) return RULE;
  if (!isFlag(commentRequired) || !isFlag(confirm))
    return reason('bad-flags', { members: 'commentRequired and confirm' });
  if (name === '') return reason('empty-name');
  const ofName = faultOfText(name, MAX_OUTCOME_NAME);
  if (ofName !== undefined) return ofName.at({ member: 'name' });
  const ofLabel = label === null ? undefined : faultOfText(label, MAX_LABEL);
  if (ofLabel !== undefined) return ofLabel.at({ member: 'label' });
  const isBlank = translations === undefined || translations === null;
  const fault = isBlank ? undefined : faultOfTranslations(TRANSLATED, translations);
  return fault?.at({ member: 'translations' });
}

function faultOf(value: unknown): ReturnType<Fault> {
  if (!Array.isArray(value) || value.length > MAX_OUTCOMES)
    return reason('too-many-items', { max: MAX_OUTCOMES, noun: 'outcomes' });
  const fault = faultsOfItems(value, faultOfOutcome);
  if (fault !== undefined) return fault;
  const names = new Set((value as Outcome[]).map(({ name }) => name));
  return names.size < value.length ? reason('repeated-name') : undefined;
}

function complete({ name, label, commentRequired, confirm, translations }: Outcome): Outcome {
  const stored = storedTranslations(TRANSLATED, translations ?? {});
  return {
    commentRequired: commentRequired ?? false,
    confirm: confirm ?? false,
    label: label ?? name,
    name,
    ...(stored && { translations: stored }),
  };
}

/** @returns what is wrong with the outcome of a task */
export function faultOfChoice(
  outcome: unknown,
  { status, outcomes: ways }: { status: unknown; outcomes: Outcome[] },
): Reason | undefined {
  if (status !== 'done') return reason('not-done');
  if (ways.some(({ name }) => name === outcome)) return undefined;
  return ways.length === 0
    ? reason('no-outcomes')
    : reason('not-one-of', { choices: ways.map(({ name }) => name) });
}

/**
 * The attribute `outcomes` of tasks; empty where a task is simply done. List items have it, so that people can decide
 * in a list.
 */
export const outcomes = () =>
  new JsonAttribute({
    detailedOnly: false,
    maxKiB: 4,
    fault: faultOf,
    normalize: (value) => (value as Outcome[]).map(complete),
    schema: SCHEMA,
    answer: ANSWER,
  });
