import { Controller } from '@nestjs/common';
import type { Draft, WriteRules } from '../resources/draft.js';
import { resourceController } from '../resources/resource-controller.js';
import { tasks } from './task.resource.js';
import { viewFaults } from './view-filters.js';
import { views } from './view.resource.js';

@Controller('api/v2/process/views')
export class ViewsController extends resourceController(views) {
  override rules: WriteRules = { check: checkView };
}

/** A view that cannot be executed is refused when it is written. */
function checkView({ values, bad, caller }: Draft): void {
  if (bad.length > 0) return;
  const columns = (values.columns as string[] | null) ?? [];
  const unknown = columns.filter((name) => !tasks.attributes.has(name));
  if (unknown.length > 0)
    bad.push({ name: 'columns', message: `unknown attribute ${unknown.join(', ')}` });
  bad.push(
    ...viewFaults(
      {
        filters: (values.filters as string[] | null) ?? [],
        sorter: values.sorter as string | null,
      },
      tasks.listableBy(caller),
    ),
  );
}
