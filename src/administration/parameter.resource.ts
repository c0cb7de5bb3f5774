import type { Row } from '../database/database.js';
import { enumeration, text } from '../resources/attributes/attributes.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import { TextAttribute } from '../resources/attributes/text-attribute.js';
import {
  describeParameter,
  type ParameterDefinition,
  PARAMETERS,
  type ParameterType,
  typedValue,
} from '../security/parameters/parameter-definitions.js';

/** A value, filtered and sorted as text and presented in the type of its parameter, whose column it also selects. */
class ParameterValueAttribute extends TextAttribute {
  override columns(alias: string): string[] {
    return [this.expression(alias), `${alias}.type`];
  }

  override present(row: Row, at: number): unknown {
    return typedValue(row[at + 1] as ParameterType, String(row[at]));
  }

  override schema(): Record<string, unknown> {
    return { type: ['string', 'integer', 'boolean'] };
  }
}

const TYPES = {
  addresses: { en: 'addresses', fr: 'adresses', de: 'Adressen' },
  destinations: { en: 'destinations', fr: 'destinations', de: 'Ziele' },
  holders: {
    en: 'people with certain rights',
    fr: 'personnes ayant certains droits',
    de: 'Personen mit bestimmten Rechten',
  },
  list: { en: 'list', fr: 'liste', de: 'Liste' },
  integer: { en: 'whole number', fr: 'nombre entier', de: 'ganze Zahl' },
  boolean: { en: 'yes or no', fr: 'oui ou non', de: 'ja oder nein' },
  time: { en: 'time of the day', fr: 'heure du jour', de: 'Uhrzeit' },
  timeZone: { en: 'time zone', fr: 'fuseau horaire', de: 'Zeitzone' },
  name: { en: 'name', fr: 'nom', de: 'Name' },
  color: { en: 'colour', fr: 'couleur', de: 'Farbe' },
  picture: { en: 'picture', fr: 'image', de: 'Bild' },
} satisfies Record<ParameterType, object>;

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The definitions as rows of VALUES. */
const DEFINITIONS = Object.values<ParameterDefinition>(PARAMETERS).map(
  (definition, index) =>
    `(${index + 1}, ${[definition.key, definition.type, definition.defaultValue, describeParameter(definition)].map(quote).join(', ')})`,
);
const TABLE = `(SELECT d.id, d.key, d.type, d.default_value, d.description, coalesce(p.value, d.default_value) AS value
  FROM (VALUES ${DEFINITIONS.join(', ')}) AS d(id, key, type, default_value, description)
  LEFT JOIN parameters p ON p.key = d.key)`;

const readOnly = { readOnly: true };
const always = { ...readOnly, neverEmpty: true };

/** Server parameters as a list (docs/api-contract.md#server-parameters). */
export const parameters = resource({
  name: 'parameters',
  schemaName: 'Parameter',
  uri: '/administration/parameters',
  table: TABLE,
  withoutUri: true,
  withoutId: true,
  labelColumn: 'key',
  attributes: {
    key: text({
      ...always,
      identity: AS_IS,
      sql: (alias) => `('com.' || current_setting('platform.vendor') || '.' || ${alias}.key)`,
    }),
    value: new ParameterValueAttribute(readOnly),
    type: enumeration(TYPES, always),
    defaultValue: new ParameterValueAttribute(readOnly),
    description: text(always),
  },
});
