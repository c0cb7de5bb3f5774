import type { CodeLabels } from '../../resources/attributes/enum-attribute.js';

/** The kinds of events. Each change of a task is one of them (docs/api-contract.md#task-events). */
export const EVENT_KINDS = [
  'task.created',
  'task.changed',
  'task.claimed',
  'task.released',
  'task.reassigned',
  'task.decided',
  'task.cancelled',
  'task.reopened',
  'task.deleted',
] as const;

/** The kind of the event that a task is done. Database functions name it too. */
export const DECIDED = 'task.decided';

/** The kind of the event with which an administrator tests an endpoint. */
export const TEST_KIND = 'endpoint.test';

export const EVENT_LABELS: Record<(typeof EVENT_KINDS)[number] | typeof TEST_KIND, CodeLabels> = {
  'task.created': { en: 'task created', fr: 'tâche créée', de: 'Aufgabe erstellt' },
  'task.changed': { en: 'task changed', fr: 'tâche modifiée', de: 'Aufgabe geändert' },
  'task.claimed': { en: 'task claimed', fr: 'tâche prise', de: 'Aufgabe übernommen' },
  'task.released': { en: 'task released', fr: 'tâche rendue', de: 'Aufgabe zurückgegeben' },
  'task.reassigned': {
    en: 'task reassigned',
    fr: 'tâche réattribuée',
    de: 'Aufgabe neu zugewiesen',
  },
  'task.decided': { en: 'task decided', fr: 'tâche décidée', de: 'Aufgabe entschieden' },
  'task.cancelled': { en: 'task cancelled', fr: 'tâche annulée', de: 'Aufgabe abgebrochen' },
  'task.reopened': { en: 'task opened again', fr: 'tâche rouverte', de: 'Aufgabe wieder geöffnet' },
  'task.deleted': { en: 'task deleted', fr: 'tâche supprimée', de: 'Aufgabe gelöscht' },
  'endpoint.test': { en: 'test', fr: 'essai', de: 'Test' },
};

/** SQL of whether a column has changed. */
const differs = (column: string): string => `(before ? '${column}')`;

/**
 * SQL of the kind of a change. Of several changes at once, it names the most important one for an engine.
 * @param row alias of the row with the columns created, deleted, task and before
 */
export const KIND_SQL = `CASE
    WHEN deleted THEN 'task.deleted'
    WHEN created THEN 'task.created'
    WHEN ${differs('status')} AND task->>'status' = 'done' THEN 'task.decided'
    WHEN ${differs('status')} AND task->>'status' = 'cancelled' THEN 'task.cancelled'
    WHEN ${differs('status')} THEN 'task.reopened'
    WHEN ${differs('assignee_id')} AND before->>'assignee_id' IS NULL AND NOT ${differs('group_id')} THEN 'task.claimed'
    WHEN ${differs('assignee_id')} AND task->>'assignee_id' IS NULL AND NOT ${differs('group_id')} THEN 'task.released'
    WHEN ${differs('assignee_id')} OR ${differs('group_id')} THEN 'task.reassigned'
    ELSE 'task.changed' END`;
