/** The path of a task's page. */
export const taskPage = (id: string, basePath: string): string =>
  `${basePath}/workplace/tasks/${id}`;
