// Runs before the first paint so that a dark page never flashes white. A file of its own: the page's policy allows no inline script.
(function () {
  var theme = "auto", language = "";
  try {
    var saved = JSON.parse(localStorage.getItem("famulus.preferences") || "{}");
    theme = saved.theme || "auto";
    language = saved.language || "";
  } catch (error) {
    // An unreadable preference is no preference.
  }
  var dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  if (language) document.documentElement.lang = language;
})();
