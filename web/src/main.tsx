import "~/styles/kit";
import "~/styles/tokens.css";
import "~/styles/base.css";
import { createTheme, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, useEffect, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { useTimezone as sendTimezone, whenSignedOut } from "~/api/http";
import { queryClient } from "~/hooks/live";
import { Messages, usePreferences } from "~/i18n";
import { router } from "~/router";
import { zoneOf } from "~/state/preferences";

const theme = createTheme({ respectReducedMotion: true, cursorType: "pointer" });
const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function useDark(): boolean {
  const { theme: wanted } = usePreferences();
  const system = useSyncExternalStore(
    (listener) => { darkSystem.addEventListener("change", listener); return () => darkSystem.removeEventListener("change", listener); }, () => darkSystem.matches,
  );
  return wanted === "dark" || (wanted === "auto" && system);
}

function App() {
  const dark = useDark();
  const zone = zoneOf(usePreferences());
  useEffect(() => sendTimezone(zone), [zone]);
  return (
    // The kit would write its variables and helper classes into style elements of the page; its files hold the same, and the policy stays strict.
    <MantineProvider theme={theme} forceColorScheme={dark ? "dark" : "light"} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <Messages><RouterProvider router={router} /></Messages>
      </QueryClientProvider>
    </MantineProvider>
  );
}

// Only what was signed in can be signed out: the answer to the question itself must not ask it again.
whenSignedOut(() => { if (queryClient.getQueryData(["me"])) void queryClient.resetQueries({ queryKey: ["me"] }); });
const root = document.getElementById("root");
if (root) createRoot(root).render(<StrictMode><App /></StrictMode>);
