// The frame around every screen: name, navigation and user menu. It also catches a screen that fails.
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { goTo, linkTo, place } from "../browser/router.ts";
import { session, signOut } from "../browser/session.ts";
import { chooseTheme, THEMES, theme } from "../browser/theme.ts";
import { Announcements } from "../components/announcements.tsx";
import { Brand } from "../components/brand.tsx";
import { Confirmation } from "../components/dialog.tsx";
import { Page } from "../components/page.tsx";
import { Banner, Empty, NoPermission } from "../components/states.tsx";
import { SignIn, SignInAgain } from "./people/sign-in.tsx";
import { loadDetailScreens, SECTIONS, type SectionLink, screenAt } from "./screens.ts";

export function Shell() {
  const user = session.value?.account.userKey;
  const isSignedIn = user !== undefined;
  useEffect(() => {
    // If this fails, the screen that needs them says so.
    if (isSignedIn) loadDetailScreens().catch(() => undefined);
  }, [isSignedIn]);
  if (!isSignedIn) return <SignIn />;
  const { path } = place.value;
  const screen = screenAt(path);
  const isClosed = SECTIONS.some((section) => section.path === screen?.section && !isOpenTo(section));
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <TopBar section={screen?.section ?? null} />
      <main id="main" tabIndex={-1}>
        {/* The key starts every path with fresh state, and another user's: another tab may have signed one in. */}
        <Caught key={`${user} ${path}`}>
          {screen === null ? <NoSuchScreen /> : isClosed ? <Closed /> : <screen.screen params={screen.params} />}
        </Caught>
      </main>
      <Announcements />
      <Confirmation />
      <SignInAgain />
    </>
  );
}

/** Whether the user may open it. */
function isOpenTo({ isForAdministrators }: SectionLink): boolean {
  return isForAdministrators !== true || session.value?.account.role === "admin";
}

/** A button, not a link: the part after # belongs to the screens. */
function skip(): void {
  document.getElementById("main")?.focus();
}

function TopBar({ section }: { section: string | null }) {
  return (
    <header class="top">
      <a class="home" href={linkTo("/")}>
        <Brand />
      </a>
      <nav aria-label="Sections">
        {SECTIONS.filter(isOpenTo).map(({ path, name }) => (
          <a key={path} href={linkTo(path)} aria-current={path === section ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <Menu />
    </header>
  );
}

/** The next user starts at the first screen. */
function signOutHere(): void {
  signOut();
  goTo(linkTo("/"), { replace: true });
}

/** Closes on Escape, on leaving it, and after a choice. */
function Menu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  useEffect(() => {
    const closeOutside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, []);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={({ key }) => key === "Escape" && close()}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget !== null && !menu.current?.contains(relatedTarget as Node)) close();
      }}
    >
      <summary>
        <bdi>{session.value?.account.email}</bdi>
      </summary>
      <div>
        <a href={linkTo("/account")} onClick={close}>
          API keys
        </a>
        <a href={linkTo("/account/password")} onClick={close}>
          Change password
        </a>
        <a href="docs">API reference</a>
        <fieldset class="themes">
          <legend>Colours</legend>
          {THEMES.map((name) => (
            <label key={name}>
              <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" class="link" onClick={signOutHere}>
          Sign out
        </button>
      </div>
    </details>
  );
}

function Caught({ children }: { children: ComponentChildren }) {
  const [fault, reset] = useErrorBoundary();
  if (fault === undefined) return <>{children}</>;
  return (
    <Page title="This screen failed">
      <Banner tone="failed" role="alert" title="Something in the dashboard went wrong.">
        <p>Jobs on the server keep running. Try again; if it fails again, the API offers the same by hand.</p>
        <button type="button" class="small" onClick={reset}>
          Try again
        </button>
      </Banner>
    </Page>
  );
}

function Closed() {
  return (
    <Page title="Administration">
      <NoPermission />
    </Page>
  );
}

function NoSuchScreen() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address">
        <p>
          <a href={linkTo("/")}>Go to the start</a>
        </p>
      </Empty>
    </Page>
  );
}
