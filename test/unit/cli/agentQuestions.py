"""Answers the questions of agentQuestions.json with pandas.

Reads the hours of a sandbox at GRID_DATA_URL with the key GRID_DATA_API_KEY, and prints the figures of each question as JSON:
numbers with their full precision, times in UTC, dates in South Africa.
"""

import calendar
import json
import os
import urllib.request

import pandas as pd

SAST = "Africa/Johannesburg"
SOURCES = ["total_re_mw", "thermal_mw", "nuclear_mw", "eskom_gas_mw", "eskom_ocgt_mw", "hydro_water_mw"]
# Public holidays of the periods in question that fall on a weekday.
HOLIDAYS = ["2023-06-16", "2023-08-09", "2024-06-17"]


def read(path):
    query = "start=2022-12-31T00:00:00Z&end=2024-07-01T00:00:00Z&interval=1h"
    request = urllib.request.Request(
        f"{os.environ['GRID_DATA_URL']}{path}?{query}",
        headers={"X-API-KEY": os.environ["GRID_DATA_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        rows = pd.DataFrame(json.load(response)["data"])
    return rows.assign(ts=pd.to_datetime(rows["ts"])).set_index("ts")


def hours(rows, first, last, zone=SAST):
    """Returns the hours of the days from first to last in a zone, with a column for their local time."""
    local = rows.index.tz_convert(zone)
    start, end = pd.Timestamp(first, tz=zone), pd.Timestamp(last, tz=zone) + pd.Timedelta(days=1)
    return rows[(local >= start) & (local < end)].assign(local=local[(local >= start) & (local < end)])


def time(instant):
    return instant.strftime("%Y-%m-%dT%H:%MZ")


def date(instant):
    return instant.strftime("%Y-%m-%d")


def highest(values):
    return [values.max(), time(values.idxmax())]


def lowest(values):
    return [values.min(), time(values.idxmin())]


def gwh(values):
    return [values.sum() / 1000, values.count()]


def mwh(values):
    return [values.sum(), values.count()]


def pairs(series):
    return [part for pair in series.items() for part in pair]


def flatten(rows):
    return [value for row in rows for value in row]


def generation(rows):
    """Total generation, which is published only as the renewable share."""
    return rows["total_re_mw"] / rows["renewable_share_pct"] * 100


def mix(rows):
    """The sum of the generation mix: the part that has no field is known only from the share, and rounded to whole MW."""
    published = rows[SOURCES].sum(axis=1, skipna=False)
    unpublished = (generation(rows) - published).round()
    # 0 within the precision of a share with three decimals.
    precision = generation(rows) * 0.0005 / rows["renewable_share_pct"]
    return published + unpublished.where((generation(rows) - published).abs() > precision, 0).where(published.notna())


def share(part, whole):
    """The share of the energies of the hours that have both, in percent."""
    both = part.notna() & whole.notna()
    return part[both].sum() / whole[both].sum() * 100


def renewable_share(rows):
    return share(rows["total_re_mw"], generation(rows))


def compare(now, rows, column, earlier_hours):
    """Returns the sum of a column, the sum of earlier hours, and the change over the hours that both have."""
    earlier = rows[column].reindex(now.index - pd.Timedelta(hours=earlier_hours)).set_axis(now.index)
    both = now[column].notna() & earlier.notna()
    difference = (now[column] - earlier)[both]
    percent = difference.sum() / earlier[both].sum() * 100
    return [now[column].sum(), earlier.sum(), difference.sum(), percent], difference.mean()


def tariff_period(local):
    """The period of an hour of June to August, by the tariff that applied until March 2025."""
    hour = local.hour
    if date(local) in HOLIDAYS or local.weekday() == 5:
        return "Standard" if 7 <= hour < 12 or 18 <= hour < 20 else "Off-peak"
    if local.weekday() == 6:
        return "Off-peak"
    if 6 <= hour < 9 or 17 <= hour < 19:
        return "Peak"
    return "Standard" if 9 <= hour < 17 or 19 <= hour < 22 else "Off-peak"


def error_figures(rows):
    error = (rows["residual_demand_mw"] - rows["residual_forecast_mw"]).dropna()
    percent = (error.abs() / rows["residual_demand_mw"]).mean() * 100
    return [error.mean(), error.abs().mean(), (error**2).mean() ** 0.5, percent]


def missing_spans(rows, first, last):
    end = pd.Timestamp(last, tz=SAST) + pd.Timedelta(days=1)
    expected = pd.date_range(pd.Timestamp(first, tz=SAST), end, freq="h", inclusive="left")
    missing = expected.tz_convert("UTC").difference(rows.index).to_series()
    groups = missing.groupby((missing.diff() != pd.Timedelta(hours=1)).cumsum())
    hour = pd.Timedelta(hours=1)
    return [len(missing), *flatten([time(group.min()), time(group.max() + hour)] for _, group in groups)]


def longest_run(values, limit):
    """The start, end, hours and energy of the longest run of hours below a limit. No hour is missing."""
    below = values < limit
    runs = values[below].groupby((below != below.shift()).cumsum()[below])
    run = max((group for _, group in runs), key=len)
    return [time(run.index[0]), time(run.index[-1] + pd.Timedelta(hours=1)), len(run), run.sum()]


def by_bin(rows, column, key, figure="mean"):
    return getattr(rows.groupby(key)[column], figure)()


def month_starts(rows):
    return rows["local"].dt.strftime("%Y-%m-01")


state = read("/api/v1/grid/system-state")
stress = read("/api/v1/features/grid-stress")

june = hours(state, "2024-06-01", "2024-06-30")
june_2023 = hours(state, "2023-06-01", "2023-06-30")
july_2023 = hours(state, "2023-07-01", "2023-07-31")
quarter = hours(state, "2023-07-01", "2023-09-30")
winter = hours(state, "2023-06-01", "2023-08-31")
week = hours(state, "2024-06-24", "2024-06-30")
year = hours(state, "2023-01-01", "2023-12-31")
half_year = hours(stress, "2024-01-01", "2024-06-30")

demand = june["residual_demand_mw"]
local = june["local"].dt
nights = demand[(local.hour >= 22) | (local.hour < 5)]
evenings = june[(local.day_of_week < 5) & ~local.strftime("%Y-%m-%d").isin(HOLIDAYS) & local.hour.isin([17, 18, 19])]
periods = winter["local"].map(tariff_period)
thermal_of_week, _ = compare(week, state, "thermal_mw", 168)
thermal_of_june, _ = compare(june, state, "thermal_mw", 364 * 24)
_, demand_difference = compare(june, state, "residual_demand_mw", 364 * 24)
seasons = {12: "Summer", 1: "Summer", 2: "Summer", 3: "Autumn", 4: "Autumn", 5: "Autumn"}
seasons |= {6: "Winter", 7: "Winter", 8: "Winter", 9: "Spring", 10: "Spring", 11: "Spring"}
season_means = by_bin(year, "residual_demand_mw", year["local"].dt.month.map(seasons))
forecast_error = demand - june["residual_forecast_mw"]
running = july_2023["eskom_ocgt_mw"]
ocgt = june_2023["eskom_ocgt_mw"]
high = half_year[half_year["value"] >= 0.6].join(state["residual_demand_mw"])
bands = pd.cut(half_year["value"], [0, 0.3, 0.6, 0.8, float("inf")], right=False)
band_hours = pd.crosstab(month_starts(half_year), bands)
day_shares = pd.Series({day: renewable_share(rows) for day, rows in june.groupby(local.strftime("%Y-%m-%d"))})
wind = year["wind_mw"]

answers = {
    "windEnergy": gwh(june["wind_mw"]),
    "weekMean": [week["residual_demand_mw"].mean()],
    "yearPeak": highest(year["residual_demand_mw"]),
    "nightMinimum": lowest(nights),
    "renewableShare": [renewable_share(june)],
    "renewableShareByMonth": flatten([month, renewable_share(rows)] for month, rows in year.groupby(month_starts(year))),
    "hoursAboveLimit": [(winter["residual_demand_mw"] > 30_000).sum()],
    "ocgtHours": gwh(running[running > 0]),
    "ocgtEvenings": mwh(evenings["eskom_ocgt_mw"]),
    "weekChange": thermal_of_week,
    "yearChange": thermal_of_june,
    "meanDifference": [demand_difference],
    "pvByMonth": pairs(by_bin(quarter, "pv_mw", month_starts(quarter), "sum")),
    "weekdayMeans": flatten([day, demand[local.day_name() == day].mean()] for day in calendar.day_name),
    "pvHour": pairs(by_bin(june, "pv_mw", local.strftime("%H:00")).nlargest(1)),
    "seasonMeans": pairs(season_means[["Summer", "Autumn", "Winter", "Spring"]]),
    "dailyPeaks": pairs(by_bin(week, "residual_demand_mw", week["local"].dt.strftime("%Y-%m-%d"), "max")),
    "utcDay": gwh(hours(state, "2024-06-15", "2024-06-15", "UTC")["residual_demand_mw"]),
    "localDay": gwh(hours(state, "2024-06-15", "2024-06-15")["residual_demand_mw"]),
    "topHours": flatten([time(instant), value] for instant, value in demand.nlargest(5).items()),
    "tariffPeak": mwh(winter.loc[periods == "Peak", "thermal_mw"]),
    "tariffPeriods": pairs(by_bin(winter, "eskom_ocgt_mw", periods, "sum")[["Peak", "Standard", "Off-peak"]]),
    "ocgtRamp": highest(hours(state, "2024-04-01", "2024-06-30")["ocgt_ramp_mw"]),
    "threeHourRise": highest(demand - demand.shift(3)),
    "forecastQuality": error_figures(june),
    "eveningForecast": error_figures(june[local.hour == 18])[:2],
    "worstForecast": [time(forecast_error.abs().idxmax()), forecast_error[forecast_error.abs().idxmax()]],
    "totalDemand": highest(demand + june["total_re_mw"]),
    "windShare": [share(wind, year["total_re_mw"])],
    "missingHours": missing_spans(june_2023, "2023-06-01", "2023-06-30"),
    "unknownOrZero": [ocgt.count(), ocgt.isna().sum(), (ocgt == 0).sum()],
    "stressPeak": highest(hours(stress, "2024-06-01", "2024-06-30")["value"]),
    "highStress": [len(high), *highest(high["residual_demand_mw"])],
    "stressBands": flatten([month, *counts] for month, *counts in band_hours.itertuples()),
    "windQuantiles": [wind.quantile(0.05), wind.median(), wind.quantile(0.95)],
    "windLoadFactor": [wind.mean() / wind.max() * 100],
    "netImports": mwh(hours(state, "2024-01-01", "2024-03-31")["net_import_mw"]),
    "windLull": longest_run(june["wind_mw"], 500),
    "bestRenewableDays": pairs(day_shares.nlargest(3)),
    "generationMix": [share(june[source], mix(june)) for source in ["thermal_mw", "nuclear_mw"]],
}


def plain(value):
    """Numbers of NumPy cannot be written as JSON."""
    return value.item() if hasattr(value, "item") else value


print(json.dumps({name: [plain(value) for value in values] for name, values in answers.items()}, indent=2))
