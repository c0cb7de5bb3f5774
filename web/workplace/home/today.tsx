import { NewsOfTheDay } from './news-of-the-day.js';
import { NextTasks } from './next-tasks.js';

/** The first information of the home page: the next tasks, and the news. */
export function Today() {
  return (
    <div className="today">
      <NextTasks />
      <NewsOfTheDay />
    </div>
  );
}
