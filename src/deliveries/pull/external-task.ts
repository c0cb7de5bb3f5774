import type { Leased } from './work-queue.service.js';

/** A variable of Camunda 7. */
interface Variable {
  type: 'String' | 'Integer' | 'Json' | 'Null';
  value: string | number | null;
  valueInfo: Record<string, never>;
}

/** A leased delivery in the form of a Camunda 7 external task. */
export const presentExternalTask = (
  { id, queue, retries, leasedUntil, event, delivery }: Leased,
  worker: string,
): Record<string, unknown> => ({
  id,
  topicName: queue.reference,
  workerId: worker,
  // Camunda writes the offset without a colon.
  lockExpirationTime: leasedUntil.replace('Z', '+0000'),
  retries,
  priority: 0,
  businessKey: columnOf(delivery, 'correlation_id') ?? reference(event.data),
  processInstanceId: delivery.taskId,
  errorMessage: null,
  errorDetails: null,
  variables: {
    eventId: text(event.id),
    eventType: text(event.type),
    taskId: text(delivery.taskId),
    taskReference: text(reference(event.data)),
    taskRevision: { type: 'Integer', value: delivery.revision, valueInfo: {} } satisfies Variable,
    externalId: text(columnOf(delivery, 'external_id')),
    ...(queue.content === 'full' && {
      taskStatus: text(columnOf(delivery, 'status')),
      outcome: text(columnOf(delivery, 'outcome')),
      comment: text(columnOf(delivery, 'comment')),
    }),
    event: { type: 'Json', value: JSON.stringify(event), valueInfo: {} } satisfies Variable,
  },
});

const columnOf = ({ data }: Leased['delivery'], column: string): string | null =>
  (data.task?.[column] as string | null | undefined) ?? null;

const reference = ({ task }: Record<string, unknown>): string | null =>
  (task as { reference?: string } | undefined)?.reference ?? null;

const text = (value: string | null): Variable => ({ type: 'String', value, valueInfo: {} });
