//! Medians, quantiles and geometric means.

/// The median; of an even number the upper one, of none not a number.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The geometric mean; of none not a number.
#[expect(clippy::cast_precision_loss, reason = "a few values")]
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .into_iter()
        .fold((0.0, 0usize), |(sum, count), value| {
            (sum + value.ln(), count + 1)
        });
    (sum / count as f64).exp()
}

/// The value below which this part of them lies.
pub(crate) fn quantile(times: &[f64], part: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a place in a list"
    )]
    let at = (times.len() as f64 * part) as usize;
    times[at.min(times.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_outliers() {
        assert!((median(vec![3.0, 1000.0, 1.0, 2.0, 4.0]) - 3.0).abs() < 1e-12);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn the_geometric_mean_weighs_ratios() {
        assert!((geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-12);
        assert!(geometric_mean([]).is_nan());
    }
}
