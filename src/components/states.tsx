// What stands in a screen's place while there is nothing to show, or when it cannot be shown.
import type { ComponentChildren } from "preact";
import type { Loaded } from "../browser/loading.ts";
import type { Problem } from "../browser/problem.ts";

/** What was loaded, or what stands for it until then. A value that is there stays while it is asked for again. */
export function Await<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem, reload } = loaded;
  if (value !== null) {
    return (
      <>
        {problem !== null && <ErrorNote problem={problem} retry={reload} />}
        {children(value)}
      </>
    );
  }
  if (problem === null) return <Loading />;
  if (problem.code === "FORBIDDEN") return <NoPermission />;
  if (problem.code === "NOT_FOUND") return <NotFound problem={problem} />;
  return <ErrorNote problem={problem} retry={reload} />;
}

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** Nothing there yet: what it would be, and how it comes to be. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function NoPermission() {
  return (
    <Empty title="This is for administrators">
      <p>Ask whoever runs this server, or sign in as an administrator.</p>
    </Empty>
  );
}

/** Another user's is as if it were not there, so nobody can say which it is. */
function NotFound({ problem }: { problem: Problem }) {
  return (
    <div role="alert">
      <Empty title={problem.message}>
        <p>It may have been deleted, or belong to another user, or the address was cut.</p>
      </Empty>
    </div>
  );
}

/** What happened, where, and what to do. */
export function ErrorNote({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const places = problem.errors.filter(({ message }) => message !== problem.message);
  return (
    <div class="banner failed" role="alert">
      <strong>{problem.message}</strong>
      {places.length > 0 && (
        <ul>
          {places.map(({ field, message, line, column }) => (
            <li key={`${field} ${message}`}>
              {line !== undefined && `Line ${line}: `}
              {column !== undefined && `column ${column}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
      {problem.remedy !== "" && <p>{problem.remedy}</p>}
      {problem.requestId !== null && problem.status >= 500 && (
        <p class="note">
          Request <code>{problem.requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
