// The client of Camunda 7, as its users start it: it prints a line for each task, and completes it.
import { Client } from 'camunda-external-task-client-js';

const { BASE_URL, TOKEN, TOPIC } = process.env;
const authenticate = (config) => ({
  ...config,
  headers: { ...config.headers, 'X-AUTHENTICATION-KEY': TOKEN },
});
const client = new Client({
  baseUrl: BASE_URL,
  interceptors: authenticate,
  maxTasks: 20,
  lockDuration: 20_000,
  asyncResponseTimeout: 10_000,
  interval: 10,
});
client.subscribe(TOPIC, async ({ task, taskService }) => {
  const event = task.variables.get('event');
  process.stdout.write(`${task.variables.get('taskId')} ${event.type}\n`);
  await taskService.complete(task);
});
