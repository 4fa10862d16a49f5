# Makes reference-r.json with R's own functions: Rscript make-reference.R
# Run it in this folder. Reads samples.json and, for the long samples, generates its own.

parse <- function(text) { # JSON of numbers, lists and objects, as samples.json has it
  text <- gsub("\\[", "list(", gsub("\\]", ")", gsub("\\{", "list(", gsub("\\}", ")", text))))
  eval(parse_text(gsub("(\"[^\"]*\"):", "\\1 =", text)))
}
parse_text <- function(text) base::parse(text = text, keep.source = FALSE)
numbers <- function(list) as.numeric(unlist(list))
show <- function(x) { # JSON with all digits
  if (is.null(x)) return("null")
  if (is.list(x)) {
    inner <- vapply(x, show, "")
    if (is.null(names(x))) return(paste0("[", paste(inner, collapse = ", "), "]"))
    return(paste0("{", paste0("\"", names(x), "\": ", inner, collapse = ",\n "), "}"))
  }
  if (is.logical(x)) return(if (is.na(x)) "null" else tolower(as.character(x)))
  if (is.character(x)) return(paste0("\"", x, "\""))
  digits <- ifelse(is.na(x), "null", trimws(formatC(as.numeric(x), digits = 17, format = "g")))
  if (length(x) == 1 && is.null(attr(x, "array"))) digits else paste0("[", paste(digits, collapse = ", "), "]")
}
array <- function(x) { attr(x, "array") <- TRUE; x }

samples <- parse(paste(readLines("samples.json"), collapse = "\n"))
set.seed(20111007)
samples$pairs[["sixty, normal approximation"]] <- list(as.list(round(rlnorm(60, 7, 0.4), 3)), as.list(round(rlnorm(60, 6.95, 0.4), 3)))
samples$pairs[["eighty with ties, normal approximation"]] <- list(as.list(round(rnorm(80, 50, 6))), as.list(round(rnorm(80, 48, 6))))
samples$trends[["seventy, normal approximation"]] <- as.list(round(rnorm(70) + (1:70) / 60, 4))

confidence <- 0.95
medians <- lapply(samples$pairs, function(pair) {
  x <- sort(numbers(pair[[1]])); n <- length(x)
  rank <- qbinom((1 - confidence) / 2, n, 0.5)
  if (2 * pbinom(rank, n, 0.5) <= 1 - confidence) rank <- rank + 1
  list(values = array(x), median = median(x), low = if (rank == 0) NA else x[rank], high = if (rank == 0) NA else x[n + 1 - rank],
       quantiles = array(unname(quantile(x, c(0.05, 0.25, 0.75, 0.95), type = 7))))
})
paired <- lapply(samples$pairs, function(pair) {
  x <- numbers(pair[[1]]); y <- numbers(pair[[2]]); d <- x - y; n <- length(d)
  tied <- any(duplicated(abs(d[d != 0]))) || any(d == 0)
  walsh <- outer(d, d, "+") / 2; walsh <- sort(walsh[!lower.tri(walsh)])
  k <- if (n <= 50) { q <- qsignrank((1 - confidence) / 2, n); if (2 * psignrank(q, n) <= 1 - confidence) q + 1 else q }
       else floor(n * (n + 1) / 4 - qnorm((1 + confidence) / 2) * sqrt(n * (n + 1) * (2 * n + 1) / 24))
  w <- if (tied && n <= 50) NULL else suppressWarnings(wilcox.test(x, y, paired = TRUE, exact = n <= 50, correct = TRUE))
  u <- wilcox.test(x, y, exact = if (any(duplicated(c(x, y)))) FALSE else 2 * n <= 40, correct = TRUE)
  u_is_same <- !any(duplicated(c(x, y))) || 2 * n > 40 # with ties R has no exact distribution of few values
  constant <- length(unique(d)) == 1
  list(first = array(x), second = array(y),
       signedRank = if (is.null(w)) NULL else list(statistic = unname(w$statistic), p = w$p.value),
       hodgesLehmann = if (!tied && n >= 6 && n <= 50) { w <- wilcox.test(x, y, paired = TRUE, conf.int = TRUE, exact = TRUE); list(value = unname(w$estimate), low = w$conf.int[1], high = w$conf.int[2]) }
                       else list(value = median(walsh), low = if (k == 0) NA else walsh[k], high = if (k == 0) NA else walsh[length(walsh) + 1 - k]),
       mannWhitney = if (u_is_same) list(statistic = unname(u$statistic), p = u$p.value) else NULL,
       t = if (constant) NULL else t.test(x, y, paired = TRUE)$p.value,
       welch = { w <- t.test(x, y); list(value = mean(x) - mean(y), low = w$conf.int[1], high = w$conf.int[2]) })
})
trends <- lapply(samples$trends, function(values) {
  x <- numbers(values)
  test <- suppressWarnings(cor.test(seq_along(x), x, method = "kendall", exact = if (any(duplicated(x)) || length(x) > 60) FALSE else TRUE, continuity = TRUE))
  list(values = array(x), tau = unname(test$estimate), p = test$p.value, lagOne = acf(x, plot = FALSE)$acf[2])
})
parts <- lapply(samples$parts, function(part) {
  k <- part[[1]]; n <- part[[2]]
  test <- suppressWarnings(prop.test(k, n, correct = FALSE))
  list(count = k, of = n, low = test$conf.int[1], high = test$conf.int[2])
})
adjusted <- lapply(samples$pValues, function(values) list(values = array(numbers(values)), holm = array(p.adjust(numbers(values), "holm"))))

writeLines(show(list(madeWith = list(R = paste(R.version$major, R.version$minor, sep = ".")), confidence = confidence,
                     medians = medians, paired = paired, trends = trends, parts = parts, adjusted = adjusted)), "reference-r.json")
